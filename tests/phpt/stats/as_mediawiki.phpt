--TEST--
random specs, times, values, entities and ranges: keys, counters, lifetimes, totals and rates are those of MediaWiki's WRStats
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

use Wikimedia\WRStats\WRStatsFactory;
use WRStats\Tests\Server;

repair_mediawiki_reader();
$server = Server::tcp();
$raw = $server->raw();
$seed = (int)(getenv('WRSTATS_SEED') ?: 20240601);
$scenarios = (int)(getenv('WRSTATS_SCENARIOS') ?: 150);
$compared = ['counters' => 0, 'totals' => 0];
for ($i = 0; $i < $scenarios; $i++) {
    mt_srand($seed + $i);
    $before = (int)$raw->stat('curr_items');
    $specs = specs();
    $prefix = pick(['WRStats', 'p', ['a'], ['a', word(), 5], word() . '']);
    $handles = [];
    foreach (['memory' => ['servers' => ['memory:'], 'prefix' => "$i:"], 'meta' => ['protocol' => 'meta', 'prefix' => "m$i:"],
        'classic' => ['protocol' => 'classic', 'prefix' => "c$i:"]] as $name => $config) {
        $handles[$name] = new WRStats($config + ['servers' => [$server->address], 'long_keys' => 'mediawiki-1.39']);
    }
    $store = new MediaWikiStore;
    $all = $handles + ['mediawiki' => new WRStatsFactory($store)];
    $base = number(1_000_000, 1_700_000_000);
    $written = [];
    for ($w = mt_rand(1, 4); $w > 0; $w--) {
        $now = near($base);
        $writers = array_map(function ($factory) use ($specs, $prefix, $now) {
            $factory->setCurrentTime($now);
            return $factory->createWriter($specs, $prefix);
        }, $all);
        for ($n = mt_rand(1, 12); $n > 0; $n--) {
            $entity = $written && mt_rand(0, 2) ? pick($written) : entity();
            $written[] = $entity;
            $metric = (string)array_rand($specs);
            $value = pick([1, 1, mt_rand(0, 50), number(0, 1000), mt_rand(0, 1000) / 8, mt_rand(1, 999) * ($specs[$metric]['resolution'] ?? 1) / 2]);
            $times = mt_rand(1, 2);
            foreach ($writers as $name => $writer) {
                for ($t = 0; $t < $times; $t++) {
                    $writer->incr($metric, $name === 'mediawiki' ? $entity : disguised($entity), $value);
                }
            }
            if (!mt_rand(0, 5)) {
                array_map(fn($writer) => $writer->flush(), $writers);
            }
            if (!mt_rand(0, 5)) {
                $now = near($base);
                array_map(fn($writer) => $writer->setCurrentTime($now), $writers);
            }
        }
        unset($writers, $writer);
    }
    // Counters.
    foreach ($handles as $name => $handle) {
        $name === 'memory' || same(true, $handle->sync(), "seed $seed + $i, $name: sync");
        foreach (array_chunk(array_keys($store->counters), 100) as $keys) {
            $found = $handle->getCounters($keys);
            foreach ($keys as $key) {
                $compared['counters']++;
                same($store->counters[$key], $found[$key] ?? null, "seed $seed + $i, $name: $key");
            }
        }
        if ($name !== 'memory') {
            foreach (array_slice($store->ttls, 0, 20) as $key => $ttl) {
                between($ttl - 30, $ttl, $raw->ttl("$name[0]$i:" . $key), "seed $seed + $i, $name: lifetime of $key");
            }
        }
    }
    same(2 * count($store->counters), (int)$raw->stat('curr_items') - $before, "seed $seed + $i: items on the server");
    // Totals and rates.
    for ($n = mt_rand(1, 3); $n > 0; $n--) {
        $now = near($base);
        $readers = array_map(function ($factory) use ($specs, $prefix, $now) {
            $factory->setCurrentTime($now);
            return $factory->createReader($specs, $prefix);
        }, $all);
        $rates = $durations = [];
        for ($r = mt_rand(1, 8); $r > 0; $r--) {
            $entity = pick($written);
            $metrics = array_map(strval(...), mt_rand(0, 1) ? array_keys($specs) : [array_rand($specs)]);
            [$start, $end] = span($base);
            $seconds = pick([1, 60, 600, 1200.5]);
            $latest = mt_rand(0, 1);
            foreach ($readers as $name => $reader) {
                $range = $latest ? $reader->latest($seconds) : $reader->timeRange($start, $end);
                $of = $reader->getRates($metrics, $name === 'mediawiki' ? $entity : disguised($entity), $range);
                $rates[$name] = array_merge($rates[$name] ?? [], array_values($of));
            }
            array_push($durations, ...array_fill(0, count($metrics), $range->getDuration()));
        }
        $results = [];
        foreach ($rates as $name => $of) {
            $reader = $readers[$name];
            // MediaWiki divides by zero where a range has no length; ours answers 0.
            $per = fn($rate, $method, $duration) => $name === 'mediawiki' && $duration == 0 ? 0.0 : (float)$rate->$method();
            $results[$name] = array_map(
                fn($total, $rate, $duration) => [$total, $per($rate, 'perSecond', $duration), $per($rate, 'perDay', $duration)],
                $reader->total($of), $of, $durations,
            );
        }
        foreach ($handles as $name => $_) {
            $compared['totals'] += count($results[$name]);
            same($results['mediawiki'], $results[$name], "seed $seed + $i, $name: totals");
        }
    }
    // All gone again.
    $entities = array_values(array_unique($written, SORT_REGULAR));
    $now = near($base);
    foreach ($all as $name => $factory) {
        $factory->setCurrentTime($now);
        $factory->createWriter($specs, $prefix)->resetAll(array_map(
            fn($e) => $name === 'mediawiki' ? $e ?? new Wikimedia\WRStats\LocalEntityKey : disguised($e), $entities));
    }
    foreach ($handles as $name => $handle) {
        $name === 'memory' || $handle->sync();
    }
    same(2 * count($store->counters), (int)$raw->stat('curr_items') - $before, "seed $seed + $i: items left after resetAll()");
}
echo "compared from seed $seed on: $scenarios scenarios, $compared[counters] counters, $compared[totals] totals\n";
--EXPECTF--
compared from seed %d on: %d scenarios, %d counters, %d totals
