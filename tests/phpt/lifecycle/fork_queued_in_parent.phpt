--TEST--
a child never sends what its parent had queued
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k(), 1);
$pid = pcntl_fork();
if ($pid === 0) {
    $m = $w->metrics();
    same([0, 0, 0], [$m['calls'], $m['pending'], $m['pending_bytes']], 'a child starts at zero');
    $w->incr(k('child'), 1);
    same(true, $w->sync(), 'sync in the child');
    same(1, $w->metrics()['confirmed'], 'confirmed in the child');
    check_books($w, 'child');
    exit(0);
}
pcntl_waitpid($pid, $status);
same(1, $w->metrics()['pending'], 'still queued in the parent');
same(true, $w->sync(), 'sync in the parent');
same(['1', '1'], [raw()->get(k()), raw()->get(k('child'))], 'values');
check_books($w, 'parent');
echo "done\n";
--EXPECT--
done
