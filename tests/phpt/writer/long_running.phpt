--TEST--
a writer kept for long counts into the buckets of its flushes
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$w = $h->createWriter(['m' => seq(1, 100)]);
$buckets = [];
for ($i = 0; $i < 3; $i++) {
    // Well inside of a second.
    while (fmod(microtime(true), 1) > 0.7) {
        usleep(10_000);
    }
    $w->incr('m', null, 5 + $i);
    $buckets[] = time();
    $w->flush();
    usleep(1_050_000);
}
same(3, count(array_unique($buckets)), 'buckets');
foreach ($buckets as $i => $bucket) {
    same((string)(5 + $i), counter($h, "local:WRStats:m::$bucket"), "flush $i");
}
// Between two flushes the time of the first increment counts.
while (fmod(microtime(true), 1) > 0.7) {
    usleep(10_000);
}
$w->incr('m', ['once']);
$bucket = time();
usleep(1_050_000);
$w->incr('m', ['once']);
$w->resetCurrentTime();
$w->incr('m', ['once']);
$w->flush();
same('2', counter($h, "local:WRStats:m::$bucket:once"), 'one time for what is gathered together');
same('1', counter($h, 'local:WRStats:m::' . ($bucket + 1) . ':once'), 'after resetCurrentTime()');
echo "done\n";
--EXPECT--
done
