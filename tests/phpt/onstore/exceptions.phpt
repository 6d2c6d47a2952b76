--TEST--
a store's exceptions pass through unchanged, and leave all in order
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

class StoreTrouble extends Exception {}
class FailingStore extends RecordingStore
{
    public array $fail = [];
    public ?Throwable $thrown = null;

    private function may(string $method): void
    {
        if (in_array($method, $this->fail, true)) {
            throw $this->thrown = new StoreTrouble($method, 7);
        }
    }

    public function makeKey($prefix, $internals, $entity) { $this->may('makeKey'); return parent::makeKey($prefix, $internals, $entity); }
    public function incr(array $values, $ttl) { $this->may('incr'); parent::incr($values, $ttl); }
    public function delete(array $keys) { $this->may('delete'); parent::delete($keys); }
    public function query(array $keys) { $this->may('query'); return parent::query($keys); }
}
$store = new FailingStore;
$h = WRStats::onStore($store);
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$fails = function (string $what, array $methods, callable $call) use ($store) {
    foreach ($methods as $method) {
        $store->fail = [$method];
        try {
            $call();
            echo "$what, $method: no exception\n";
        } catch (Throwable $e) {
            same(true, $e === $store->thrown, "$what, $method: " . $e->getMessage());
        }
    }
    $store->fail = [];
};
$w = $h->createWriter($specs);
$w->incr('m');
$fails('flush', ['makeKey'], fn() => $w->flush());
$w->flush();
same(1, $store->counters['local:WRStats:m::10'], 'kept when there was no key for it');
$w->incr('m');
$fails('flush', ['incr'], fn() => $w->flush());
$w->flush();
same(1, $store->counters['local:WRStats:m::10'], 'given once, whatever came of it');
$fails('destruction', ['makeKey', 'incr'], function () use ($h, $specs) { $w = $h->createWriter($specs); $w->incr('m'); unset($w); });
$fails('resetAll', ['makeKey', 'delete'], fn() => $w->resetAll());
$r = $h->createReader($specs);
$rate = $r->getRate('m', null, $r->latest(100));
$fails('fetch', ['makeKey', 'query'], fn() => $r->fetch());
$fails('total', ['makeKey', 'query'], fn() => $rate->total());
$fails('perDay', ['makeKey', 'query'], fn() => $r->perDay([$rate]));
same(1, $rate->total(), 'and once it works');
$l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => 60]]);
$fails('peek', ['makeKey', 'query'], fn() => $l->peek('c'));
$fails('tryIncr', ['makeKey', 'query', 'incr'], fn() => $l->tryIncr('c'));
$fails('incr', ['makeKey', 'incr'], fn() => $l->incr('c'));
$batch = $l->createBatch()->localOp('c');
$fails('batch', ['makeKey', 'query', 'incr'], fn() => $batch->tryIncr());
same([true, 0], [($result = $l->tryIncr('c'))->isAllowed(), $result->prevTotal], 'and once it works');
// A store that stays broken fills no memory.
$store->fail = ['makeKey'];
for ($i = 0; $i < 1000; $i++) {
    $w->incr('m', ["e$i"]);
    try {
        $w->flush();
        echo "no exception\n";
    } catch (StoreTrouble) {
    }
    if ($i === 100) {
        $memory = memory_get_usage();
    }
}
between(-100_000, 100_000, memory_get_usage() - $memory, 'bytes');
$store->fail = [];
$w->flush();
echo "done\n";
--EXPECT--
done
