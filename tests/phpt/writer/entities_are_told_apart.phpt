--TEST--
two things never share a counter
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000), 'm:a' => seq(100, 1000), '' => seq(100, 1000)]);
$entities = [[], [''], ['', ''], ['a'], ['a', ''], ['', 'a'], ['a', 'b'], ['a:b'], ['a%3Ab'], ['a', 'b', 'c'], ['a b'], ['a%20b'],
    ['10'], ['10', 'a'], ["a\0b"], ['a', "\0b"], ['é'], ["\xe9"]];
$value = 0;
$expected = [];
foreach (['m', 'm:a', ''] as $metric) {
    foreach ($entities as $entity) {
        foreach ([false, true] as $global) {
            $w->incr($metric, new ForeignKey($entity, $global), ++$value);
            $expected[] = [$metric, $entity, $global, $value];
        }
    }
}
$w->flush();
$r = $h->createReader(['m' => seq(100, 1000), 'm:a' => seq(100, 1000), '' => seq(100, 1000)]);
$range = $r->timeRange(1000, 1000);
$h->setCurrentTime(1100);
$r = $h->createReader(['m' => seq(100, 1000), 'm:a' => seq(100, 1000), '' => seq(100, 1000)]);
foreach ($expected as [$metric, $entity, $global, $value]) {
    $rate = $r->getRate($metric, new ForeignKey($entity, $global), $r->timeRange(1000, 1099.5));
    // Half a second of a hundred is cut off.
    same((int)round($value * 0.995), $rate->total(), json_encode([$metric, array_map('bin2hex', $entity), $global]));
}
echo "done\n";
--EXPECT--
done
