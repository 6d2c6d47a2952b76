--TEST--
a forked child counts its own increments only, and each once
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$w->incr('m', ['parent']);
$w->incr('m', ['both']);
foreach (['exits', 'flushes', 'destroys', 'counts'] as $what) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        match ($what) {
            'exits' => 0,
            'flushes' => $w->flush(),
            'destroys' => $w = null,
            'counts' => $w->incr('m', ['both']),
        };
        exit(0);
    }
    pcntl_waitpid($pid, $status);
}
// A child of a child.
if (pcntl_fork() === 0) {
    $w->incr('m', ['child']);
    if (($pid = pcntl_fork()) === 0) {
        $w->incr('m', ['grandchild']);
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    exit(0);
}
pcntl_wait($status);
$w->flush();
same('1', counter($h, 'local:WRStats:m::10:parent'), 'parent');
same('2', counter($h, 'local:WRStats:m::10:both'), 'parent and one child');
same('1', counter($h, 'local:WRStats:m::10:child'), 'child');
same('1', counter($h, 'local:WRStats:m::10:grandchild'), 'grandchild');
echo "done\n";
--EXPECT--
done
