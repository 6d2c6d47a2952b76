--TEST--
what was queued or under way before the fork is the parent's: it counts once, whatever the children do
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['persistent' => k()]);
$w->incrAndGet(k('warm'));
$w->incr(k('sent'), 1);
$w->flush();
$w->incr(k('queued'), 1);
$w->set(k('value'), 'of the parent', 600, 0, true);
$children = [];
for ($child = 1; $child <= 8; $child++) {
    if (($pid = pcntl_fork()) === 0) {
        $m = $w->metrics();
        $wrong = array_sum($m) > 0 ? 1 : 0;
        // One ends with it queued, one reads, one syncs, one fails.
        $w->incr(k('queued'), 10);
        match ($child % 4) {
            0 => null,
            1 => $w->get(k('queued')),
            2 => $wrong |= $w->sync() ? 0 : 2,
            3 => $w->flush(),
        };
        if ($child === 4) {
            no_such_function();
        }
        exit($wrong);
    }
    $children[$child] = $pid;
}
foreach ($children as $child => $pid) {
    pcntl_waitpid($pid, $status);
    same($child === 4 ? 255 : 0, pcntl_wexitstatus($status), "child $child");
}
same(2, $w->metrics()['pending'], 'still queued');
same(null, raw()->get(k('value')), 'no child sent it');
same(true, $w->sync(), 'sync');
same(['1', '81', 'of the parent'], [raw()->get(k('sent')), raw()->get(k('queued')), raw()->get(k('value'))], 'values');
check_books($w, 'end');
echo "done\n";
--EXPECTF--
%AFatal error: Uncaught Error: Call to undefined function no_such_function() in %a
done
