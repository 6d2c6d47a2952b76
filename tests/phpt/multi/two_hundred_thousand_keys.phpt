--TEST--
a very large getMulti over a unix socket ends
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::unix('-m', '256');
$w = new WRStats(['servers' => [$server->address], 'timeout' => 20]);
$value = str_repeat('v', 1000);
$keys = [];
for ($i = 0; $i < 200_000; $i++) {
    $keys[] = "key:$i";
}
for ($i = 0; $i < 200_000; $i += 10_000) {
    same(true, $w->setMulti(array_fill_keys(array_map(fn($n) => "key:$n", range($i, $i + 9_999, 10)), $value)), 'setMulti');
}
$from = microtime(true);
same(20_000, count($w->getMulti($keys)), 'values');
between(0, 5, microtime(true) - $from, 'seconds');
echo "done\n";
--EXPECT--
done
