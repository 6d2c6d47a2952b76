--TEST--
a hundred thousand distinct counters in one process all arrive
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
for ($i = 0; $i < 100_000; $i++) {
    $w->incr("n$i", $i % 7 + 1, 600);
}
same(true, $w->sync(30.0), 'sync');
$keys = array_map(fn($i) => "n$i", range(0, 99_999));
same(array_sum(array_map(fn($i) => $i % 7 + 1, range(0, 99_999))), array_sum($w->getCounters($keys)), 'sum');
same(100_000, $w->metrics()['confirmed'], 'confirmed');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
