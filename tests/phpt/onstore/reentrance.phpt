--TEST--
a store may use what calls it, also from another fiber
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

class NestedStore extends RecordingStore
{
    public ?Closure $inside = null;

    private function visit(): void
    {
        if ($inside = $this->inside) {
            $this->inside = null;
            $inside();
        }
    }

    public function makeKey($prefix, $internals, $entity) { $this->visit(); return parent::makeKey($prefix, $internals, $entity); }
    public function incr(array $values, $ttl) { $this->visit(); parent::incr($values, $ttl); }
    public function delete(array $keys) { $this->visit(); parent::delete($keys); }
    public function query(array $keys) { $this->visit(); return parent::query($keys); }
}
$store = new NestedStore;
$h = WRStats::onStore($store);
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$w = $h->createWriter($specs);
$w->incr('m', ['a']);
$store->inside = function () use ($w) {
    $w->incr('m', ['b'], 2);
    $w->incr('m', ['a'], 4);
};
$w->flush();
same(['local:WRStats:m::10:a' => 1], $store->counters, 'outer flush');
$w->flush();
same(['local:WRStats:m::10:a' => 5, 'local:WRStats:m::10:b' => 2], $store->counters, 'what the store counted');
$w->incr('m', ['a']);
$store->inside = function () use ($w) {
    $w->incr('m', ['a'], 10);
    $w->flush();
};
$w->flush();
same(16, $store->counters['local:WRStats:m::10:a'], 'a flush within a flush');
$r = $h->createReader($specs);
$rates = $r->getRates(['m'], ['a'], $r->latest(100));
$store->inside = function () use ($r, &$rates) {
    $rates['b'] = $r->getRate('m', ['b'], $r->latest(100));
    same(2, $rates['b']->total(), 'a total within a fetch');
};
same(16, $rates['m']->total(), 'total');
same(2, $rates['b']->total(), 'the other');
$l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => 60]]);
$batch = $l->createBatch()->localOp('c');
$store->inside = function () use ($l, $batch) {
    $l->setCurrentTime(1001);
    $batch->tryIncr();
};
$batch->tryIncr();
same(2, array_sum(array_filter($store->counters, fn($k) => str_contains($k, ':c:'), ARRAY_FILTER_USE_KEY)), 'a batch within itself');
// Fibers that take turns inside of the store.
$wait = fn() => Fiber::suspend();
$fibers = [];
foreach (range(0, 4) as $i) {
    $fibers[] = new Fiber(function () use ($store, $wait, $w, $r, $i) {
        for ($n = 0; $n < 5; $n++) {
            $w->incr('m', ['fiber'], 1);
            $store->inside = $wait;
            $w->flush();
            $store->inside = $wait;
            $r->getRate('m', ["f$i", $n], $r->latest(100))->total();
        }
    });
}
foreach ($fibers as $fiber) {
    $fiber->start();
}
while ($left = array_filter($fibers, fn($f) => !$f->isTerminated())) {
    foreach ($left as $fiber) {
        $fiber->resume();
    }
}
$w->flush();
same(25, $store->counters['local:WRStats:m::10:fiber'], 'fibers');
// A destructor within a call.
$key = new class (['d']) {
    public static $w;
    public function __construct(private $c) {}
    public function getComponents() { return $this->c; }
    public function isGlobal() { return false; }
    public function __destruct() { self::$w->incr('m', ['gone']); }
};
$key::$w = $w;
$w->incr('m', $key);
unset($key);
$w->flush();
$w->flush();
same([1, 1], [$store->counters['local:WRStats:m::10:d'], $store->counters['local:WRStats:m::10:gone']], 'a destructor');
echo "done\n";
--EXPECT--
done
