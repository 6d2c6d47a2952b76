--TEST--
on MediaWiki's own ArrayStatsStore and BagOStuffStatsStore the counters are those that MediaWiki's WRStats makes
--EXTENSIONS--
wrstats
mbstring
--SKIPIF--
<?php require __DIR__ . '/../inc/skip_without_mediawiki.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';
require __DIR__ . '/../../support/php/mediawiki.php';

use Wikimedia\WRStats\ArrayStatsStore;
use Wikimedia\WRStats\BagOStuffStatsStore;
use Wikimedia\WRStats\GlobalEntityKey;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\WRStatsFactory;

$specs = ['m' => seq(100, 1000), 'f' => seq(200, 2000, ['resolution' => 0.1]), 'two' => ['sequences' => [[], ['timeStep' => 50, 'expiry' => 100]]]];
$conditions = ['c' => new LimitCondition(3, 60), 'd' => new LimitCondition(2, 100)];
foreach ([
    'array' => fn() => new ArrayStatsStore,
    'bag' => fn() => new BagOStuffStatsStore(new HashBagOStuff(['keyspace' => 'wiki'])),
] as $name => $make) {
    $stores = [$make(), $make()];
    $ours = WRStats::onStore($stores[0]);
    $theirs = new WRStatsFactory($stores[1]);
    $answers = [];
    foreach ([$ours, $theirs] as $i => $factory) {
        foreach ([1000, 1150, 1201.5] as $time) {
            $factory->setCurrentTime($time);
            $w = $factory->createWriter($specs, ['p', 'q']);
            foreach ([null, new LocalEntityKey(['a', 7]), new GlobalEntityKey(['a:b', ''])] as $j => $entity) {
                foreach (['m', 'f', 'two'] as $metric) {
                    $w->incr($metric, $entity, 1.26 * ($j + 1));
                }
            }
            unset($w);
        }
        $factory->setCurrentTime(1300);
        $r = $factory->createReader($specs, ['p', 'q']);
        foreach ([null, new LocalEntityKey(['a', 7]), new GlobalEntityKey(['a:b', ''])] as $entity) {
            foreach ([50, 250, 1000] as $seconds) {
                $answers[$i][] = $r->total($r->getRates(['m', 'f', 'two'], $entity, $r->latest($seconds)));
            }
        }
        $l = $factory->createRateLimiter($conditions, 'limits');
        for ($try = 0; $try < 5; $try++) {
            $results = $l->createBatch()->localOp('c', 'x')->globalOp('d', ['x', 5])->tryIncr();
            $answers[$i][] = [$results->isAllowed(), array_map(fn($x) => [$x->prevTotal, $x->newTotal], $results->getAllResults())];
            $result = $l->tryIncr('c', new LocalEntityKey(['y']));
            $answers[$i][] = [$result->isAllowed(), $result->prevTotal, $result->newTotal];
        }
    }
    same($answers[1], $answers[0], "$name: answers");
    // Each reads what the other wrote.
    $crossed = [];
    foreach ([WRStats::onStore($stores[1]), new WRStatsFactory($stores[0])] as $factory) {
        $factory->setCurrentTime(1300);
        $r = $factory->createReader($specs, ['p', 'q']);
        $crossed[] = $r->total($r->getRates(['m', 'f', 'two'], new GlobalEntityKey(['a:b', '']), $r->latest(1000)));
    }
    same($crossed[0], $crossed[1], "$name: crossed");
    if ($name === 'array') {
        [$a, $b] = [$stores[0]->getData(), $stores[1]->getData()];
        ksort($a);
        ksort($b);
        same($b, $a, 'keys, values and lifetimes');
    }
    $ours->createWriter($specs, ['p', 'q'])->resetAll([new GlobalEntityKey(['a:b', ''])]);
    $theirs->createWriter($specs, ['p', 'q'])->resetAll([new GlobalEntityKey(['a:b', ''])]);
    foreach ([$ours, $theirs] as $factory) {
        $r = $factory->createReader($specs, ['p', 'q']);
        $left[] = array_map(fn($e) => $r->total($r->getRates(['m', 'two'], $e, $r->latest(1000))), [null, new GlobalEntityKey(['a:b', ''])]);
    }
    same(array_pop($left), array_pop($left), "$name: after resetAll()");
}
// Strict limits on a store that adds negative amounts, as these do.
foreach ([new ArrayStatsStore, new BagOStuffStatsStore(new HashBagOStuff(['keyspace' => 'wiki']))] as $store) {
    $l = WRStats::onStore($store)->createRateLimiter($conditions, 's', ['strict' => true]);
    $l->setCurrentTime(1000);
    same([true, true, true, false, false], array_map(fn() => $l->tryIncr('c')->isAllowed(), range(1, 5)), 'strict');
    same(3, $l->peek('c')->prevTotal, 'what was refused was taken back');
}
echo "done\n";
--EXPECT--
done
