--TEST--
a connection that the server closed is noticed before the first write on it
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp('-o', 'idle_timeout=2');
$w = new WRStats(['servers' => [$server->address]]);
$w->incr('k');
$w->flush();
sleep(6);
$w->incr('k');
$w->flush();
usleep(200_000);
same('2', $server->raw()->get('k'), 'value');
same(true, $w->sync(), 'sync');
same(2, $w->metrics()['connects'], 'connects');
same(0, $w->metrics()['lost'], 'lost');
echo "done\n";
--EXPECT--
done
