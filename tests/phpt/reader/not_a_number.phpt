--TEST--
what is no number in the store counts as nothing
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$r = $h->createReader(['m' => seq(100, 1000)]);
foreach (['abc', '', '-5', '5 ', '7'] as $i => $value) {
    $h->set("local:WRStats:m::10:$i", $value);
}
$r->setCurrentTime(1010);
same([0, 0, 0, 5, 7], array_map(fn($i) => $r->getRate('m', [$i], $r->latest(10))->total(), range(0, 4)), 'totals');
$h->set('local:WRStats:m::10:big', '18446744073709551615');
same(PHP_INT_MAX, $r->getRate('m', ['big'], $r->latest(10))->total(), 'above PHP_INT_MAX');
echo "done\n";
--EXPECT--
done
