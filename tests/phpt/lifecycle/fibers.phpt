--TEST--
Fibers never get each other's answers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$fibers = [];
$wrong = 0;
for ($f = 0; $f < 10; $f++) {
    $w->set(k("f$f"), "value $f");
    $fibers[] = new Fiber(function () use ($w, $f, &$wrong) {
        for ($i = 0; $i < 50; $i++) {
            $wrong += $w->get(k("f$f")) !== "value $f";
            $w->incr(k("n$f"));
            Fiber::suspend();
        }
    });
}
foreach ($fibers as $fiber) {
    $fiber->start();
}
for ($i = 0; $i < 50; $i++) {
    foreach ($fibers as $fiber) {
        $fiber->resume();
    }
}
same(0, $wrong, 'wrong values');
same(array_fill(0, 10, 50), array_values($w->getCounters(array_map(fn($f) => k("n$f"), range(0, 9)))), 'counters');
echo "done\n";
--EXPECT--
done
