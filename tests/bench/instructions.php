<?php

/**
 * One shape of work, $n times over, for instructions.sh to count what it costs: the difference between two values of $n is
 * free of start and end. Ends in a look at the books: what was queued is confirmed, all of it. Keys are each run's own, so
 * that what another left on the server changes nothing; they are of one length, whatever $n is.
 * usage: instructions.php SHAPE N, with 8 servers in WRSTATS_TEST_SERVERS; --list prints the shapes.
 */

$servers = explode(',', (string)getenv('WRSTATS_TEST_SERVERS'));
$config = ['servers' => [$servers[0]], 'timeout' => 30.0, 'connect_timeout' => 30.0];
$own = sprintf('bench:%s:%06d', strtr($argv[1] ?? '', ' ', '-'), $argv[2] ?? 0);
/** $n keys, ready-made. */
$keys = static fn(int $n): array => array_map(static fn($i) => sprintf('%s:%06d', $own, $i), range(1, $n));
$sequence = ['timeStep' => 7200, 'expiry' => 86400];
$specs = [];
foreach (['count', 'total', 'overflow', 'matches', 'total-cond'] as $metric) {
    $specs[$metric] = ['sequences' => [$sequence]];
}
$specs['total-time'] = ['resolution' => 1e-3, 'sequences' => [$sequence]];
/** name => [what one is, n small, n large, the shape whose cost is no part of it, the work: returns the increments] */
$shapes = [
    'loop' => ['foreach over ready keys', 2000, 12000, null, function (WRStats $stats, int $n) use ($keys) {
        foreach ($keys($n) as $key) {
        }

        return 0;
    }],
    'incr new' => ['incr() of a new key, ready-made', 2000, 12000, 'loop', function (WRStats $stats, int $n) use ($keys) {
        foreach ($keys($n) as $key) {
            $stats->incr($key);
        }

        return $n;
    }],
    'incr known' => ['incr() of a key that the server has', 2000, 12000, null, function (WRStats $stats, int $n) use ($keys) {
        $keys = $keys(1000);
        $stats->incrMulti(array_fill_keys($keys, 1));
        $stats->sync();
        for ($i = 0; $i < $n; $i += 1000) {
            foreach ($keys as $key) {
                $stats->incr($key);
            }
            // Without this they would be merged with those of the round before.
            $stats->flush();
        }

        return 1000 + $n;
    }],
    'incr same' => ['incr() of one key', 2000, 52000, null, function (WRStats $stats, int $n) use ($own) {
        for ($i = 0; $i < $n; $i++) {
            $stats->incr($own);
        }

        return $n;
    }],
    '8 servers' => ['incr() of a new key over 8 servers, ketama', 2000, 12000, 'loop', function (WRStats $stats, int $n) use ($keys) {
        foreach ($keys($n) as $key) {
            $stats->incr($key);
        }

        return $n;
    }],
    'edit' => ['an abuse filter: createWriter(), 4 incr(), flush()', 600, 3600, null, function (WRStats $stats, int $n) use ($specs, $own) {
        for ($i = 0; $i < $n; $i++) {
            $writer = $stats->createWriter($specs, ['abusefilter-profile', $own]);
            $entity = ['filter', $i % 300];
            $writer->incr('count', $entity);
            $writer->incr('matches', $entity);
            $writer->incr('total-time', $entity, 0.25);
            $writer->incr('total-cond', $entity, 12);
            $writer->flush();
        }

        return 4 * $n;
    }],
    'specs' => ['createWriter() for a prefix not seen before', 100, 600, null, function (WRStats $stats, int $n) use ($specs) {
        for ($i = 0; $i < $n; $i++) {
            $stats->createWriter($specs, ['abusefilter-profile', $i]);
        }

        return 0;
    }],
    'writer' => ['Writer::incr() gathered under one key', 2000, 52000, null, function (WRStats $stats, int $n) use ($specs, $own) {
        $writer = $stats->createWriter($specs, $own);
        for ($i = 0; $i < $n; $i++) {
            $writer->incr('count');
        }
        $writer->flush();

        return 1;
    }],
    'request' => ['a request: new WRStats, 5 incr() of new keys, flush()', 50, 450, null, function (WRStats $stats, int $n) use ($config, $own) {
        for ($i = 0; $i < $n; $i++) {
            $mine = new WRStats($config);
            for ($k = 0; $k < 5; $k++) {
                $mine->incr("$own:$i:$k");
            }
            $mine->flush();
        }

        return 5 * $n;
    }],
    'tryIncr' => ['tryIncr() of 30 buckets', 20, 120, null, function (WRStats $stats, int $n) use ($own) {
        $limiter = $stats->createRateLimiter(['edit' => ['limit' => 1000000, 'window' => 60]], $own, ['bucketCount' => 30]);
        // Each bucket has something, and which of them is the last is no matter of when this runs.
        $now = 1_800_000_001;
        for ($bucket = 29; $bucket >= 0; $bucket--) {
            $limiter->setCurrentTime($now - 2 * $bucket);
            $limiter->incr('edit', ['someone']);
        }
        for ($i = 0; $i < $n; $i++) {
            $limiter->tryIncr('edit', ['someone']);
        }

        return 30 + $n;
    }],
    'getCounters' => ['getCounters() of 100 keys', 20, 120, null, function (WRStats $stats, int $n) use ($keys) {
        $read = $keys(100);
        $stats->incrMulti(array_fill_keys($read, 1));
        for ($i = 0; $i < $n; $i++) {
            $stats->getCounters($read);
        }

        return 100;
    }],
];

if (($argv[1] ?? '') === '--list') {
    foreach ($shapes as $name => [$what, $small, $large, $without]) {
        echo "$name|$what|$small|$large|$without\n";
    }
    exit;
}

if ($argv[1] === '8 servers') {
    $config['servers'] = $servers;
}
$stats = new WRStats($config);
// Connected, and what each server speaks is known. Read, since these count as no increments.
$stats->getCounters(array_map(static fn($i) => "bench:warm:$i", range(1, 200)));
$n = (int)$argv[2];
$increments = $shapes[$argv[1]][4]($stats, $n);
$stats->sync();
$metrics = $stats->metrics();
foreach (['refused', 'failed', 'lost', 'dropped', 'pending', 'in_flight', 'unverified'] as $not) {
    if ($metrics[$not] !== 0) {
        fwrite(STDERR, "$argv[1]: $not is $metrics[$not]\n");
        exit(1);
    }
}
if ($metrics['merged'] + $metrics['confirmed'] !== $increments) {
    fwrite(STDERR, "$argv[1]: $increments increments, $metrics[confirmed] confirmed + $metrics[merged] merged\n");
    exit(1);
}
