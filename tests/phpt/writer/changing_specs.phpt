--TEST--
specs that change between two calls are read anew
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$h->createWriter($specs)->incr('m');
same('1', counter($h, 'local:WRStats:m::10'), 'first');
$specs['m']['sequences'][0]['timeStep'] = 50;
$h->createWriter($specs)->incr('m');
same('1', counter($h, 'local:WRStats:m::20'), 'changed in place');
$step = 20;
$specs['m']['sequences'][0]['timeStep'] = &$step;
$h->createWriter($specs)->incr('m');
same('1', counter($h, 'local:WRStats:m::50'), 'with a reference');
$step = 10;
$h->createWriter($specs)->incr('m');
same('1', counter($h, 'local:WRStats:m::100'), 'changed behind the reference');
$prefix = ['a'];
for ($i = 0; $i < 20; $i++) {
    // Arrays that are gone, whose place in memory others take.
    $prefix[1] = "p$i";
    $h->createWriter(["m$i" => seq(100 + $i, 1000)], $prefix)->incr("m$i");
    same('1', counter($h, "local:a:p$i:m$i::" . intdiv(1000, 100 + $i)), "m$i");
}
// The same specs under other prefixes, and again under the first.
const SPECS = ['x' => ['sequences' => [['timeStep' => 100, 'expiry' => 1000]]]];
foreach (['a', 'b', ['a'], ['a', 'b'], 'WRStats', null, 'a'] as $i => $prefix) {
    $w = $prefix === null ? $h->createWriter(SPECS) : $h->createWriter(SPECS, $prefix);
    $w->incr('x', null, 10 ** $i);
}
unset($w);
same('1000101', counter($h, 'local:a:x::10'), 'a');
same('10', counter($h, 'local:b:x::10'), 'b');
same('1000', counter($h, 'local:a:b:x::10'), 'a, b');
same('110000', counter($h, 'local:WRStats:x::10'), 'the default prefix');
echo "done\n";
--EXPECT--
done
