--TEST--
a rate keeps its reader, a reader its pool
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$rates = (function () {
    $h = stats(['persistent' => false]);
    $h->setCurrentTime(1000);
    $specs = ['m' => seq(100, 1000)];
    $w = $h->createWriter($specs);
    $w->incr('m', null, 6);
    unset($w);
    $r = $h->createReader($specs);
    return [$r->getRate('m', null, $r->latest(100)), $r->getRate('m', ['x'], $r->latest(100))];
})();
same(6, $rates[0]->total(), 'total');
unset($rates[0]);
same(0, $rates[1]->total(), 'the other');
foreach ([fn($o) => clone $o, fn($o) => serialize($o), fn($o) => $o->x = 1] as $i => $odd) {
    foreach ([$rates[1], stats()->createReader([]), stats()->createWriter([]), stats()->createRateLimiter([]),
        stats()->createRateLimiter([])->createBatch(), WRStats\EntityKey::local()] as $object) {
        try {
            $odd($object);
            echo get_class($object), ": $i worked\n";
        } catch (Throwable) {
        }
    }
}
echo "done\n";
--EXPECT--
done
