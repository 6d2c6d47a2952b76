--TEST--
a server that is down moves no key to another
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$down = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [server(), $down->address], 'retry_interval' => 0.1, 'persistent' => k()]);
$keys = array_map(fn($i) => k("n$i"), range(0, 99));
$w->incrMulti(array_fill_keys($keys, 1));
$w->sync();
$alive = array_values(array_filter($keys, fn($key) => $w->serverFor($key) === server()));
$dead = array_values(array_diff($keys, $alive));
$down->restart();
for ($until = microtime(true) + 3; $w->getMulti($dead) === [] && $w->lastErrorCode() && microtime(true) < $until;) {
    usleep(50_000);
}
$w->incrMulti(array_fill_keys($keys, 1));
same(true, $w->sync(), 'sync');
same(array_fill_keys($alive, 2), $w->getCounters($alive), 'live');
same(array_fill_keys($dead, 1), $w->getCounters($dead), 'restarted');
foreach ($dead as $key) {
    same(null, raw()->get($key), 'a dead server\'s key on the live one');
}
echo "done\n";
--EXPECT--
done
