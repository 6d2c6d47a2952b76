--TEST--
writers, readers and limiters leave no memory behind
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$store = new RecordingStore;
$onStore = WRStats::onStore($store);
$memory = new WRStats('memory:');
$round = function (int $times) use ($store, $onStore, $memory) {
    for ($i = 0; $i < $times; $i++) {
        foreach ([stats(), $onStore, $memory] as $h) {
            $h->setCurrentTime(1000);
            $specs = ['m' => seq(100, 1000), 'n' => []];
            $w = $h->createWriter($specs, ['a', "b"]);
            $w->incr('m', ['x' . $i % 3], 2);
            $w->incr('m', WRStats\EntityKey::global('x', "k$i"));
            $w->incr('n', new ForeignKey(['f']));
            if ($i % 2) {
                $w->flush();
            }
            try {
                $w->incr('none');
            } catch (ValueError) {
            }
            try {
                $w->incr('m', [[]]);
            } catch (TypeError) {
            }
            $w->resetAll([WRStats\EntityKey::global('x', "k$i"), null]);
            $r = $h->createReader($specs, ['a', "b"]);
            $rates = $r->getRates(['m', 'n'], ['x1'], $r->latest(50));
            $r->total($rates);
            $l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => 60], 'd' => (object)['limit' => 1, 'window' => 1]], 'l', ['bucketCount' => 3]);
            $l->tryIncr('c', [$i % 5]);
            $batch = $l->createBatch()->localOp('c', 3)->globalOp('d');
            $batch->tryIncr()->getAllResults();
            // A cycle through what they hold.
            $cyclic = new ForeignKey(['z']);
            $cyclic->components = [new class ([$cyclic, $r, $w, $rates, $batch]) {
                public function __construct(public $all) {}
                public function __toString() { return 'z'; }
            }];
            $w->incr('m', $cyclic);
            $r->getRate('m', $cyclic, $r->latest(50));
        }
        $store->counters = $store->calls = [];
        if ($i % 500 === 0) {
            unset($w, $r, $rates, $batch, $cyclic, $l);
            gc_collect_cycles();
        }
    }
    unset($w, $r, $rates, $batch, $cyclic, $l);
    gc_collect_cycles();
    $store->counters = $store->calls = [];
    stats()->sync();
    return [memory_get_usage(), (int)preg_replace('/.*VmRSS:\s+(\d+).*/s', '$1', file_get_contents('/proc/self/status'))];
};
$round(1000);
$before = $round(1000);
$after = $round(3000);
between(-4096, 4096, $after[0] - $before[0], 'bytes of PHP\'s more after 3,000 rounds');
between(-2048, 1024, $after[1] - $before[1], 'KiB more after 3,000 rounds');
echo "done\n";
--EXPECT--
done
