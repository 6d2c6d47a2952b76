--TEST--
a rate comes from the first sequence that reaches back to its start, else from the longest
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$specs = ['m' => ['sequences' => [
    ['name' => 'long', 'timeStep' => 100, 'expiry' => 10000],
    ['name' => 'short', 'timeStep' => 1, 'expiry' => 100],
    ['name' => 'middle', 'timeStep' => 10, 'expiry' => 1000],
]]];
$h->setCurrentTime(100_000);
$h->incrMulti(['local:WRStats:m:short:99950' => 1, 'local:WRStats:m:middle:9995' => 10, 'local:WRStats:m:long:999' => 100]);
foreach ([[100, 1], [100.5, 10], [1000, 10], [1001, 100], [10000, 100], [20000, 100]] as [$seconds, $total]) {
    $r = $h->createReader($specs);
    same($total, $r->getRate('m', null, $r->latest($seconds))->total(), "the last $seconds");
}
echo "done\n";
--EXPECT--
done
