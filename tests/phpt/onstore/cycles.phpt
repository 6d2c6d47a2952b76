--TEST--
a store that keeps its writer is collected
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

class Keeper extends RecordingStore
{
    public static int $gone = 0;
    public array $kept = [];

    public function __destruct() { self::$gone++; }
}
for ($i = 0; $i < 100; $i++) {
    $store = new Keeper;
    $h = WRStats::onStore($store);
    $w = $h->createWriter(['m' => seq(100, 1000)]);
    $r = $h->createReader(['m' => seq(100, 1000)]);
    $l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => 60]]);
    $key = new ForeignKey(['x']);
    $key->components = [new class ($store) { public function __construct(public $store) {} public function __toString() { return 'x'; } }];
    $w->incr('m', $key);
    $store->kept = [$h, $w, $r, $r->getRate('m', $key, $r->latest(10)), $l, $l->createBatch()->localOp('c')];
    unset($store, $h, $w, $r, $l, $key);
}
gc_collect_cycles();
same(100, Keeper::$gone, 'collected');
echo "done\n";
--EXPECT--
done
