--TEST--
resetAll() of ten entities with 3,600 buckets each takes less than a second
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$specs = ['hits' => ['sequences' => [['timeStep' => 1, 'expiry' => 3600]]]];
$now = 1_790_000_000;
$w = client();
$w->setCurrentTime($now);
$prefix = k('w');
$writer = $w->createWriter($specs, $prefix);
$entities = array_map(fn($n) => ["e$n"], range(0, 9));
foreach ($entities as $n => $entity) {
    foreach ([3500, 1000, 0] as $ago) {
        $writer->setCurrentTime($now - $ago);
        $writer->incr('hits', $entity, $n + 1);
    }
}
$writer->incr('hits', ['kept']);
$writer->setCurrentTime($now);
$writer->flush();
same(true, $w->sync(), 'sync');
$total = function (array $entity) use ($w, $specs, $prefix, $now) {
    $reader = $w->createReader($specs, $prefix);
    return $reader->getRate('hits', $entity, $reader->timeRange($now - 3600, $now))->total();
};
same(30, $total(['e9']), 'before');
$from = microtime(true);
$writer->resetAll($entities);
between(0, 1, microtime(true) - $from, 'seconds of resetAll()');
same(array_fill(0, 10, 0), array_map($total, $entities), 'afterwards');
same(1, $total(['kept']), 'another entity');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
