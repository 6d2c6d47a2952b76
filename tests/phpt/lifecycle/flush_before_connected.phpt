--TEST--
flush() waits for no connection: false, and the next calls send
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
$w->incr('k', 6);
$w->flush();
for ($tries = 0; $tries < 200 && !$w->flush(); $tries++) {
    usleep(2_000);
}
same(0, $w->metrics()['pending'], 'pending');
usleep(50_000);
same('6', $server->raw()->get('k'), 'value');
echo "done\n";
--EXPECT--
done
