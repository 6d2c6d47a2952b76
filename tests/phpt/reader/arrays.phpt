--TEST--
getRates(), total() and per*() keep names and keys
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$specs = ['a' => seq(100, 1000), '7' => seq(100, 1000), 'b' => seq(100, 1000)];
$w = $h->createWriter($specs);
foreach (['a' => 10, '7' => 20, 'b' => 30] as $metric => $value) {
    $w->incr($metric, ['x'], $value);
}
unset($w);
$r = $h->createReader($specs);
$r->setCurrentTime(1010);
$rates = $r->getRates(['b', 7, 'a'], ['x'], $r->latest(10));
same(['b', 7, 'a'], array_keys($rates), 'metrics');
same(true, $rates['a'] instanceof WRStats\Rate, 'class');
same(['b' => 30, 7 => 20, 'a' => 10], $r->total($rates), 'total');
same(['b' => 3.0, 7 => 2.0, 'a' => 1.0], $r->perSecond($rates), 'perSecond');
same(['b' => 180.0, 7 => 120.0, 'a' => 60.0], $r->perMinute($rates), 'perMinute');
same(['b' => 10800.0, 7 => 7200.0, 'a' => 3600.0], $r->perHour($rates), 'perHour');
same(['b' => 259200.0, 7 => 172800.0, 'a' => 86400.0], $r->perDay($rates), 'perDay');
same(['x' => 10, 3 => 30], $r->total(['x' => $rates['a'], 3 => $rates['b']]), 'other keys');
same([], $r->total([]), 'none');
same([], $r->getRates([], null, $r->latest(10)), 'no metrics');
$other = $h->createReader($specs);
same([10], $other->total([$rates['a']]), 'a rate of another reader');
same([30, 30], $r->total([$rates['b'], &$rates['b']]), 'twice, once by reference');
echo "done\n";
--EXPECT--
done
