--TEST--
counts are spread over their buckets as MediaWiki's WRStats spreads them
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$specs = ['m' => seq(1, 10000), 'minute' => seq(60, 10 ** 6)];
$w = $h->createWriter($specs);
foreach ([[1000, 1], [1001, 2]] as [$time, $value]) {
    $w->setCurrentTime($time);
    $w->incr('m', null, $value);
}
$w->flush();
$h->setCurrentTime(2000);
$fine = ['m' => seq(1, 10000, ['resolution' => 0.1])];
foreach ([[1000.1, 1001.1, 1.1], [1000.9, 1001.9, 1.9], [1000, 1002, 3.0], [999, 1003, 3.0], [1000.25, 1000.75, 0.5], [1002, 1003, 0.0]] as [$start, $end, $total]) {
    $r = $h->createReader($fine);
    // The counters hold 1 and 2 steps of 0.1 then.
    $rate = $r->getRate('m', null, $r->timeRange($start, $end));
    same(round($total) * 0.1, $rate->total(), "from $start to $end, by 0.1");
    $r = $h->createReader($specs);
    same((int)round($total), $r->getRate('m', null, $r->timeRange($start, $end))->total(), "from $start to $end");
}
// Half a bucket of 10 and the bucket of now, which has 6 so far: 10 x 20/60 + 6 = 9.33.
$now = 1_000_000_000;
$w->setCurrentTime($now - 60);
$w->incr('minute', ['case'], 10);
$w->setCurrentTime($now);
$w->incr('minute', ['case'], 6);
$w->flush();
$h->setCurrentTime($now);
$r = $h->createReader($specs);
$rate = $r->getRate('minute', ['case'], $r->latest(60));
same(9, $rate->total(), 'total');
same(9 / 60, $rate->perSecond(), 'per second, of the rounded total');
$w->incr('minute', ['now'], 8);
$w->flush();
same(4, $r->getRate('minute', ['now'], $r->latest(20))->total(), 'half of what this bucket has so far');
echo "done\n";
--EXPECT--
done
