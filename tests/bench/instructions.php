<?php

/**
 * One shape of work, $n times over, for instructions.sh to count what it costs: the difference between two values of $n is
 * free of start and end. Ends in a look at the books: what was queued is confirmed, all of it.
 * usage: instructions.php SHAPE N, with the server in WRSTATS_TEST_SERVER; --list prints the shapes.
 */

$server = getenv('WRSTATS_TEST_SERVER');
$config = ['servers' => [$server], 'timeout' => 30.0, 'connect_timeout' => 30.0];
$keys = static fn(int $n): array => array_map(static fn($i) => "bench:instructions:key:$i", range(1, $n));
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
    'incr same' => ['incr() of one key', 2000, 52000, null, function (WRStats $stats, int $n) {
        for ($i = 0; $i < $n; $i++) {
            $stats->incr('bench:instructions:same');
        }

        return $n;
    }],
    'edit' => ['an abuse filter: createWriter(), 4 incr(), flush()', 600, 3600, null, function (WRStats $stats, int $n) use ($specs) {
        for ($i = 0; $i < $n; $i++) {
            $writer = $stats->createWriter($specs, ['abusefilter-profile', 'v3']);
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
    'writer' => ['Writer::incr() gathered under one key', 2000, 52000, null, function (WRStats $stats, int $n) use ($specs) {
        $writer = $stats->createWriter($specs, 'bench');
        for ($i = 0; $i < $n; $i++) {
            $writer->incr('count');
        }
        $writer->flush();

        return 1;
    }],
    'request' => ['a request: new WRStats, 5 incr() of new keys, flush()', 50, 450, null, function (WRStats $stats, int $n) use ($config) {
        for ($i = 0; $i < $n; $i++) {
            $mine = new WRStats($config);
            for ($k = 0; $k < 5; $k++) {
                $mine->incr("bench:request:$i:$k");
            }
            $mine->flush();
        }

        return 5 * $n;
    }],
    'tryIncr' => ['tryIncr() of 30 buckets', 20, 120, null, function (WRStats $stats, int $n) {
        $limiter = $stats->createRateLimiter(['edit' => ['limit' => 1000000, 'window' => 60]], 'bench', ['bucketCount' => 30]);
        for ($i = 0; $i < $n; $i++) {
            $limiter->tryIncr('edit', ['someone']);
        }

        return $n;
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

$stats = new WRStats($config);
$stats->incr('bench:instructions:warm');
$stats->sync();
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
if ($metrics['merged'] + $metrics['confirmed'] !== $increments + 1) {
    fwrite(STDERR, "$argv[1]: $increments increments, $metrics[confirmed] confirmed + $metrics[merged] merged\n");
    exit(1);
}
