--TEST--
increments of a server that is down wait for it; value writes are dropped
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'retry_interval' => 0.1]);
$w->set('warm', '1');
$server->kill();
same([], $w->getMulti(['warm']), 'down');
for ($i = 0; $i < 10; $i++) {
    $w->incr('counter', 2);
}
$w->set('value', 'old', background: true);
same(false, $w->sync(), 'sync while down');
check_books($w, 'down');
$server->start();
for ($until = microtime(true) + 3; microtime(true) < $until && $server->raw()->get('counter') === null;) {
    $w->flush();
    usleep(20_000);
}
same('20', $server->raw()->get('counter'), 'increments');
same(null, $server->raw()->get('value'), 'value');
between(1, 1, $w->metrics()['dropped'], 'dropped');
$w->sync();
check_books($w, 'up');
echo "done\n";
--EXPECT--
done
