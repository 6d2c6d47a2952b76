--TEST--
setCurrentTime() of the handle is for those to come, of the writer for itself
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$specs = ['m' => seq(100, 1000)];
$h->setCurrentTime(1000);
$w = $h->createWriter($specs);
$h->setCurrentTime(2000.75);
$w->incr('m');
$w->flush();
$w->incr('m');
$w->flush();
same('2', counter($h, 'local:WRStats:m::10'), 'kept over a flush');
$w->incr('m', [1]);
$w->setCurrentTime(3000);
$w->incr('m', [1], 2);
$w->setCurrentTime(4000.5);
$w->incr('m', [1], 4);
$w->setCurrentTime(3000);
$w->incr('m', [1], 8);
$w->flush();
same(['1', '10', '4'], [counter($h, 'local:WRStats:m::10:1'), counter($h, 'local:WRStats:m::30:1'), counter($h, 'local:WRStats:m::40:1')],
    'each at its time');
$h->createWriter($specs)->incr('m');
same('1', counter($h, 'local:WRStats:m::20'), 'a new one');
$h->setCurrentTime(null);
$now = time();
$h->createWriter($specs)->incr('m');
$found = (int)counter($h, 'local:WRStats:m::' . intdiv($now, 100)) + (int)counter($h, 'local:WRStats:m::' . (intdiv($now, 100) + 1));
same(1, $found, 'the clock');
foreach ([NAN, INF, -INF, 1e13, PHP_INT_MAX] as $bad) {
    foreach ([$h, $w, $h->createReader($specs), $h->createRateLimiter([])] as $object) {
        try {
            $object->setCurrentTime($bad);
            echo "no time, but taken\n";
        } catch (ValueError $e) {
            same(1, preg_match('/setCurrentTime\(\): Argument #1 \(\$now\) must be a number of UNIX seconds within 1e12 of 1970, \S+ given$/',
                $e->getMessage()), $e->getMessage());
        }
    }
}
$w->setCurrentTime(-150);
$w->incr('m', ['before']);
$w->flush();
same('1', counter($h, 'local:WRStats:m::-1:before'), 'before 1970, towards zero as PHP');
echo "done\n";
--EXPECT--
done
