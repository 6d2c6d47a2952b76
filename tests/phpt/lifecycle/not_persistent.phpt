--TEST--
a pool that isn't persistent ends with its last handle
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$before = $raw->stat('curr_connections');
$a = new WRStats(['servers' => [$server->address], 'persistent' => false]);
$a->incr('k', 2);
$a->incrAndGet('k', 1);
$a->incr('k', 4);
same($before + 1, $raw->stat('curr_connections'), 'while it lives');
unset($a);
for ($tries = 0; $tries < 100 && $raw->stat('curr_connections') !== $before; $tries++) {
    usleep(10_000);
}
same($before, $raw->stat('curr_connections'), 'afterwards');
same('7', $raw->get('k'), 'what was queued arrived');
echo "done\n";
--EXPECT--
done
