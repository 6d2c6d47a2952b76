--TEST--
flush() hands over to the pool's queue, without a system call
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
for ($i = 0; $i < 3; $i++) {
    $h->incr('connect');
    $h->sync();
}
$before = $h->metrics();
$w = $h->createWriter(['m' => seq(100, 1000)]);
for ($i = 0; $i < 100; $i++) {
    $w->incr('m', [$i]);
    $w->incr('m', [$i]);
}
same(0, $h->metrics()['pending'], 'gathered is not queued');
$w->flush();
$after = $h->metrics();
same(100, $after['pending'], 'queued');
same([$before['writes'], $before['reads']], [$after['writes'], $after['reads']], 'system calls');
same(100, $after['calls'] - $before['calls'], 'calls: increments of one counter were summed');
$w->flush();
same($after, $h->metrics(), 'nothing left to flush');
same(true, $h->sync(), 'sync');
check_books($h, 'after');
echo "done\n";
--EXPECT--
done
