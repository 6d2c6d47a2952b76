--TEST--
a full buffer goes out by itself
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'flush_interval' => 600]);
$w->incrAndGet('connected');
for ($i = 0; $i < 10_000; $i++) {
    $w->incr("a-key-of-about-thirty-bytes:$i");
}
usleep(100_000);
between(5_000, 10_000, $server->raw()->stat('curr_items'), 'arrived without flush()');
echo "done\n";
--EXPECT--
done
