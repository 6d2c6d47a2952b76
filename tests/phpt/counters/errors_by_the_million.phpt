--TEST--
a million failing increments end, in bounded memory, all counted
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k(), 'abc');
// One per key and flush would merge: another TTL each time keeps them apart.
$w->incr(k(), 1, 1);
$w->sync();
$before = memory_get_usage();
for ($i = 0; $i < 1_000_000; $i++) {
    $w->incr(k(), 1, 1 + $i % 2);
}
same(false, $w->sync(60.0), 'sync');
$m = $w->metrics();
same(1_000_001, $m['failed'] + $m['merged'] + $m['refused'], 'all accounted for');
same(0, $m['pending'] + $m['in_flight'] + $m['lost'] + $m['confirmed'], 'nothing else');
between(0, 1 << 20, memory_get_usage() - $before, 'bytes of memory more');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
