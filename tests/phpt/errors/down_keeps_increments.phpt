--TEST--
what is queued when a server goes down: increments wait for it, value writes are dropped
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'retry_interval' => 0.1]);
$server->kill();
for ($i = 0; $i < 10; $i++) {
    $w->incr('counter', 2);
}
same(true, $w->set('value', 'old', background: true), 'queued');
same(true, $w->incr('value', 2), 'queued behind it');
same(true, $w->touch('counter', 60, background: true), 'queued');
same(false, $w->sync(), 'sync while down');
check_books($w, 'down');
$server->start();
for ($until = microtime(true) + 3; microtime(true) < $until && $server->raw()->get('counter') === null;) {
    $w->flush();
    usleep(20_000);
}
same('20', $server->raw()->get('counter'), 'increments');
same(null, $server->raw()->get('value'), 'value');
same(3, $w->metrics()['dropped'], 'dropped');
$w->sync();
check_books($w, 'up');
echo "done\n";
--EXPECT--
done
