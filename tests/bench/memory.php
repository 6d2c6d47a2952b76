<?php

/**
 * What pools, queued keys, objects and starting up take: in a process of its own, whose heap has no room left over from
 * anything else. usage: bench.sh memory
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/clients.php';

use WRStats\Tests\Server;

ini_set('memory_limit', '2G');
$findings = new Findings('memory');
$server = Server::tcp('-m', '1024', '-t', '2', '-c', '4096');
$full = Server::tcp('-m', '1024', '-t', '2');
$numbered = fn(string $of, int $n) => array_map(fn($i) => sprintf('growth:%s:counter:%06d', $of, $i), range(1, $n));

/** Bytes of this process that are its own. */
function own(): int
{
    preg_match('/^Anonymous:\s+(\d+) kB/m', file_get_contents('/proc/self/smaps_rollup'), $found);

    return (int)$found[1] * 1024;
}

const POOLS = 200;
$before = own();
for ($i = 0; $i < POOLS; $i++) {
    // Each has counted, sent and read as a pool that is in use does.
    $stats = new WRStats(['servers' => [$server->address], 'persistent' => "memory-$i"]);
    foreach ($numbered('memory', 100) as $key) {
        $stats->incr($key, 1, 60);
    }
    check(true, $stats->sync(10.0), 'a pool of many');
    $stats->getCounters($numbered('memory', 100));
}
$findings->wanted('memory of an idle pool, of one server, that has been in use', (own() - $before) / POOLS / 1024, '<=', 64, 'KiB');

const QUEUED = 1_000_000;
$length = strlen($numbered('queued', 1)[0]);
$keys = $numbered('queued', QUEUED);
$full->pause();
$stats = new WRStats(['servers' => [$full->address], 'persistent' => 'queued', 'buffer_bytes' => 1 << 28, 'timeout' => 60.0, 'connect_timeout' => 60.0, 'shutdown_timeout' => 0]);
$before = own();
foreach ($keys as $key) {
    $stats->incr($key, 1, 3600);
}
$queued = $stats->metrics()['pending'];
check(true, $queued > 0.9 * QUEUED, 'what is queued stays');
$findings->wanted('memory of a queued increment, besides its key', (own() - $before) / $queued - $length, '<=', 24, 'bytes');
$full->resume();
check(true, $stats->sync(60.0), 'the queue arrives: ' . $stats->lastError());

const OBJECTS = 10_000;
$config = ['servers' => [$server->address]];
$stats = new WRStats($config);
$specs = ['hits' => ['sequences' => [['timeStep' => 60, 'expiry' => 3600]]]];
foreach ([
    'an object of WRStats, on a pool that is there' => fn() => new WRStats($config),
    'a Writer' => fn() => $stats->createWriter($specs, 'memory'),
    'a Reader' => fn() => $stats->createReader($specs, 'memory'),
    'a RateLimiter' => fn() => $stats->createRateLimiter(['a' => ['limit' => 1, 'window' => 60]], 'memory'),
] as $what => $make) {
    // What the first of them makes for all is no part of it.
    $held = array_map($make, range(1, 1000));
    $space = [];
    $from = [own(), memory_get_usage()];
    for ($i = 0; $i < OBJECTS; $i++) {
        $space[] = $make();
    }
    // PHP's pages are in both: it counts bytes, the kernel pages, so the larger is nearer.
    $findings->number("memory of $what", max(own() - $from[0], memory_get_usage() - $from[1]) / OBJECTS, 'bytes');
    unset($held, $space);
}

// ---- starting up ----

/** Microseconds of CPU that a PHP which does nothing takes. */
$start = function (string $options): float {
    $from = used(1);
    exec(escapeshellarg(PHP_BINARY) . " -n $options -r ''", $output, $status);
    check(0, $status, "php -n $options");

    return used(1) - $from;
};
preg_match('/-d extension=\S*libwrstats\S*|-d extension=\S*wrstats\.so/', (string)getenv('WRSTATS_BENCH_OPTIONS'), $ours);
check(1, count($ours), 'our extension among the options');
$with = $without = [];
for ($run = 0; $run <= 4 * runs(); $run++) {
    progress("start-up, run $run of " . 4 * runs());
    [$a, $b] = [$start(''), $start($ours[0])];
    if ($run > 0) {
        $without[] = $a;
        $with[] = $b;
    }
}
progress();
$findings->number('php -n -r \'\', without the module, CPU', median($without) / 1000, 'ms');
$findings->number('start and end of the module, CPU', (median($with) - median($without)) / 1000, 'ms');
$findings->number('share of the module in php -n -r \'\'', 100 * (1 - median($without) / median($with)), '%');
