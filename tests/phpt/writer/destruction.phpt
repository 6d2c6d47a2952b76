--TEST--
a writer that goes hands over what it has
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$w = $h->createWriter($specs);
$w->incr('m');
unset($w);
same('1', counter($h, 'local:WRStats:m::10'), 'unset');
(function () use ($h, $specs) {
    $w = $h->createWriter($specs);
    $w->incr('m');
    throw_away();
})();
function throw_away() {}
same('2', counter($h, 'local:WRStats:m::10'), 'out of scope');
try {
    (function () use ($h, $specs) {
        $w = $h->createWriter($specs);
        $w->incr('m');
        throw new Exception();
    })();
} catch (Exception) {
}
same('3', counter($h, 'local:WRStats:m::10'), 'exception');
$h->createWriter($specs)->incr('m');
same('4', counter($h, 'local:WRStats:m::10'), 'temporary');
$a = new stdClass;
$a->self = $a;
$a->writer = $h->createWriter($specs);
$a->writer->incr('m');
unset($a);
gc_collect_cycles();
same('5', counter($h, 'local:WRStats:m::10'), 'in a cycle');
$w = $h->createWriter($specs);
$w->incr('m');
$raw = k('') . 'local:WRStats:m::10';
unset($h);
unset($w);
same(true, ($other = stats())->sync(), 'sync');
same('6', raw()->get($raw), 'the handle went first');
// Many at once, and their slots again.
$other->setCurrentTime(1000);
for ($round = 0; $round < 3; $round++) {
    $writers = [];
    for ($i = 0; $i < 500; $i++) {
        $writers[$i] = $other->createWriter($specs);
        $writers[$i]->incr('m', ['many'], $i + 1);
    }
    unset($writers[7], $writers[3]);
    $writers = null;
}
same((string)(3 * 500 * 501 / 2), counter($other, 'local:WRStats:m::10:many'), 'many');
echo "done\n";
--EXPECT--
done
