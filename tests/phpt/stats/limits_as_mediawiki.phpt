--TEST--
random conditions, times, amounts and entities: answers and counters are those of MediaWiki's WRStatsRateLimiter
--EXTENSIONS--
wrstats
mbstring
igbinary
msgpack
memcached
--SKIPIF--
<?php require __DIR__ . '/../inc/skip_without_mediawiki.inc';
--FILE--
<?php

require __DIR__ . '/../inc/parity.inc';

use Wikimedia\WRStats\GlobalEntityKey;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\WRStatsFactory;
use WRStats\Tests\Server;

repair_mediawiki_reader();
$server = Server::tcp();
$seed = (int)(getenv('WRSTATS_SEED') ?: 20240602);
$scenarios = (int)(getenv('WRSTATS_SCENARIOS') ?: 150);
$compared = ['answers' => 0, 'counters' => 0];
for ($i = 0; $i < $scenarios; $i++) {
    mt_srand($seed + $i);
    $conditions = [];
    for ($n = mt_rand(1, 4); $n > 0; $n--) {
        $conditions[word()] = new LimitCondition(pick([0, 1, 2, 3, 8, 50]), pick([60, 100, 86400, 61.5, 600.0, 1000 / 7]));
    }
    $prefix = pick(['WRStats', ['limiter', word()]]);
    $options = mt_rand(0, 1) ? ['bucketCount' => pick([1, 2, 10, 30, 7])] : [];
    $store = new MediaWikiStore;
    $long = ['long_keys' => 'mediawiki-1.39'];
    $handles = [
        'memory' => new WRStats(['servers' => ['memory:'], 'prefix' => "$i:"] + $long),
        'meta' => new WRStats(['servers' => [$server->address], 'protocol' => 'meta', 'prefix' => "m$i:"] + $long),
        'classic' => new WRStats(['servers' => [$server->address], 'protocol' => 'classic', 'prefix' => "c$i:"] + $long),
        'store' => WRStats::onStore(clone $store),
        'mediawiki' => new WRStatsFactory($store),
    ];
    $limiters = array_map(fn($factory) => $factory->createRateLimiter($conditions, $prefix, $options), $handles);
    $now = number(1_000_000, 1_700_000_000);
    $entities = array_map(fn() => entity(), range(0, mt_rand(0, 2)));
    for ($n = mt_rand(5, 40); $n > 0; $n--) {
        $now += pick([0, 0, 0.25, 1, 2, 7.5, 60, 0.001, -1]);
        $now = mt_rand(0, 9) ? $now : near($now);
        $batch = mt_rand(0, 1);
        $method = pick(['peek', 'tryIncr', 'tryIncr', 'tryIncr', 'incr']);
        $names = array_map(strval(...), array_keys($conditions));
        shuffle($names);
        $operations = array_map(fn($name) => [$name, pick($entities), pick([null, 0, 1, 1, 2, 5, 60])], array_slice($names, 0, $batch ? mt_rand(1, 4) : 1));
        $default = pick([1, 1, 3]);
        $answers = [];
        foreach ($limiters as $which => $limiter) {
            $limiter->setCurrentTime($now);
            if ($batch) {
                $b = $limiter->createBatch($default);
                foreach ($operations as [$name, $entity, $amount]) {
                    $components = $entity ? $entity->getComponents() : [];
                    $components = count($components) === 1 ? $components[0] : $components;
                    $entity && $entity->isGlobal() ? $b->globalOp($name, $components, $amount) : $b->localOp($name, $components, $amount);
                }
                $result = $b->$method();
                $results = $result ? $result->getAllResults() : [];
                $answers[$which] = $result ? [$result->isAllowed(), array_keys($result->getFailedResults()), array_keys($result->getPassedResults())] : [];
            } else {
                [$name, $entity, $amount] = $operations[0];
                $result = $limiter->$method($name, $which === 'mediawiki' ? $entity : disguised($entity), $amount ?? 1);
                $results = $result ? [$result] : [];
                $answers[$which] = [];
            }
            $answers[$which][] = array_map(fn($r) => [
                $r->isAllowed(), $r->prevTotal, $r->newTotal, $which === 'mediawiki' ? $r->condition->limit : $r->limit,
                $which === 'mediawiki' ? $r->condition->window : $r->window], $results);
        }
        foreach (['memory', 'meta', 'classic', 'store'] as $which) {
            $compared['answers'] += max(1, count($operations));
            same($answers['mediawiki'], $answers[$which], "seed $seed + $i, $which, $method at $now");
        }
    }
    foreach (['memory', 'meta', 'classic'] as $which) {
        foreach (array_chunk(array_keys($store->counters), 100) as $keys) {
            $found = $handles[$which]->getCounters($keys);
            foreach ($keys as $key) {
                $compared['counters']++;
                // MediaWiki counts a 0 where nothing is to be counted.
                same($store->counters[$key], $found[$key] ?? 0, "seed $seed + $i, $which: $key");
            }
        }
    }
}
echo "compared from seed $seed on: $scenarios scenarios, $compared[answers] answers, $compared[counters] counters\n";
--EXPECTF--
compared from seed %d on: %d scenarios, %d answers, %d counters
