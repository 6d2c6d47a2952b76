--TEST--
values are those of the reader's fetch; what is gathered later is fetched then
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$count = fn($entity, $n) => $h->createWriter($specs)->incr('m', $entity, $n);
$count(['a'], 1);
$r = $h->createReader($specs);
$range = $r->latest(100);
$a = $r->getRate('m', ['a'], $range);
$count(['a'], 2);
same(3, $a->total(), 'not read before it is asked for');
$count(['a'], 4);
same(3, $a->total(), 'the same for good');
same(3, $r->getRate('m', ['a'], $range)->total(), 'another rate of it');
$b = $r->getRate('m', ['b'], $range);
$count(['b'], 5);
$r->fetch();
$count(['b'], 6);
same([3, 5], $r->total([$a, $b]), 'fetched by fetch()');
same(0, $r->getRate('m', ['c'], $range)->total(), 'nothing there');
$count(['c'], 7);
same(7, $r->getRate('m', ['c'], $range)->total(), 'what was not there is looked for again');
$fresh = $h->createReader($specs);
same([7, 11, 7], $fresh->total(array_map(fn($e) => $fresh->getRate('m', [$e], $fresh->latest(100)), ['a', 'b', 'c'])), 'a new reader');
echo "done\n";
--EXPECT--
done
