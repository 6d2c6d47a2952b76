--TEST--
one stopped server doesn't slow the others
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$stopped = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [server(), $stopped->address], 'timeout' => 0.2, 'retry_interval' => 5]);
$keys = array_map(fn($i) => k("n$i"), range(0, 99));
$w->setMulti(array_fill_keys($keys, '1'));
$alive = array_values(array_filter($keys, fn($key) => $w->serverFor($key) === server()));
$stopped->pause();
same(array_fill_keys($alive, '1'), $w->getMulti($keys), 'the first read');
$from = microtime(true);
for ($i = 0; $i < 100; $i++) {
    same(count($alive), count($w->getMulti($keys)), 'later reads');
}
between(0, 0.5, microtime(true) - $from, 'seconds for 100 more reads');
$stopped->resume();
echo "done\n";
--EXPECT--
done
