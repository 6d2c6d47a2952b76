--TEST--
totals are ints where the resolution is one; rates are floats
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$specs = ['int' => seq(100, 1000), 'float' => seq(100, 1000, ['resolution' => 0.5]), 'one' => seq(100, 1000, ['resolution' => 1.0]),
    'ten' => seq(100, 1000, ['resolution' => 10])];
$w = $h->createWriter($specs);
foreach ($specs as $name => $_) {
    $w->incr($name, null, 100);
}
unset($w);
$r = $h->createReader($specs);
$r->setCurrentTime(1050);
$range = $r->timeRange(1000, 1050);
same(['int' => 100, 'float' => 100.0, 'one' => 100.0, 'ten' => 100], $r->total($r->getRates(array_keys($specs), null, $range)), 'totals');
$rate = $r->getRate('int', null, $range);
same([2.0, 120.0, 7200.0, 172800.0], [$rate->perSecond(), $rate->perMinute(), $rate->perHour(), $rate->perDay()], 'rates');
same(['int' => 0, 'float' => 0.0, 'one' => 0.0, 'ten' => 0], $r->total($r->getRates(array_keys($specs), ['nobody'], $range)), 'nothing counted');
$rate = $r->getRate('int', null, $r->timeRange(1020, 1020));
same([0, 0.0, 0.0], [$rate->total(), $rate->perSecond(), $rate->perDay()], 'a range without length');
echo "done\n";
--EXPECT--
done
