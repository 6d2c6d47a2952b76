<?php

/**
 * How costs grow with keys per flush, servers, lengths of keys and what is buffered; and what pools, queued keys, objects
 * and starting up take. usage: bench.sh growth
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/clients.php';

use WRStats\Tests\Server;

ini_set('memory_limit', '2G');
$findings = new Findings('growth');
$server = Server::tcp('-m', '1024', '-t', '2', '-c', '4096', '-l', implode(',', array_map(fn($i) => "127.0.0.$i", range(1, 64))));
$port = explode(':', $server->address)[1];
$ledger = new Ledger($server->address);

/**
 * Medians of µs of CPU for one increment, sends included, and of µs for one read.
 *
 * @param int $flushes that make one measurement
 * @return array{float, float}
 */
$measure = function (string $what, WRStats $stats, array $keys, int $flushes) use ($ledger): array {
    $incr = $read = [];
    $before = $ledger->sum($keys);
    // The big ones speak for themselves.
    $runs = count($keys) * $flushes > 300_000 ? min(3, runs()) : runs();
    for ($run = 0; $run <= $runs; $run++) {
        progress("growth: $what, run $run of $runs");
        $cpu = 0.0;
        for ($flush = 0; $flush < $flushes; $flush++) {
            $from = used();
            foreach ($keys as $key) {
                $stats->incr($key, 1, 3600);
            }
            $stats->flush();
            $cpu += used() - $from;
        }
        check(true, $stats->sync(60.0), "$what, sync()");
        $from = hrtime(true);
        for ($flush = 0; $flush < $flushes; $flush++) {
            $found = $stats->getCounters($keys);
        }
        $wall = (hrtime(true) - $from) / 1e3;
        check(count($keys), count($found), "$what, keys found");
        if ($run > 0) {
            $incr[] = $cpu / $flushes / count($keys);
            $read[] = $wall / $flushes / count($keys);
        }
    }
    check($before + ($runs + 1) * $flushes * count($keys), $ledger->sum($keys), "$what, sum");

    return [median($incr), median($read)];
};
/** @param array<int, array{float, float}> $points */
$lines = fn(array $points) => [
    'one increment (CPU)' => array_map(fn($x) => [$x, $points[$x][0]], array_keys($points)),
    'one read (time)' => array_map(fn($x) => [$x, $points[$x][1]], array_keys($points)),
];
$numbered = fn(string $of, int $n) => array_map(fn($i) => sprintf('growth:%s:counter:%06d', $of, $i), range(1, $n));
$roomy = fn(array $servers) => new WRStats(['servers' => $servers, 'buffer_bytes' => 1 << 28, 'timeout' => 30.0]);

$stats = $roomy([$server->address]);
$points = [];
foreach ([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as $n) {
    $points[$n] = $measure("$n keys per flush", $stats, $numbered("keys-$n", $n), max(1, intdiv(2_000, $n)));
}
$findings->plot('Keys per flush', 'keys', 'µs for one key', $lines($points), 'A flush is one send and one receive, whatever it carries: '
    . 'divided among few keys that is most of the cost.');

$points = [];
foreach ([1, 2, 4, 8, 16, 32, 64] as $n) {
    $stats = $roomy(array_map(fn($i) => "127.0.0.$i:$port", range(1, $n)));
    $points[$n] = $measure("$n servers", $stats, $numbered("servers-$n", 2_000), 2);
}
$findings->plot('Servers, 2,000 keys per flush', 'servers', 'µs for one key', $lines($points), 'From two servers on each key is hashed; each '
    . 'server has a send and a receive of its own. One memcached on many addresses.');

$points = [];
$stats = $roomy([$server->address]);
foreach ([1, 2, 4, 8, 16, 32, 64, 128, 250] as $length) {
    // As many as there are of one byte each.
    $keys = array_map(fn($i) => str_pad(chr($i), $length, 'x'), [...range(0x21, 0x7e), ...range(0x80, 0xe8)]);
    $points[$length] = $measure("keys of $length bytes", $stats, $keys, 10);
}
$findings->plot('Length of a key', 'bytes', 'µs for one key', $lines($points), 'Bytes are checked, copied and sent.');

// A stopped server, in whose connection nobody loses patience: what the kernel does not take stays. Each measurement is the next 10,000 keys.
$full = Server::tcp();
const BOUND = 8 << 20;
const PIECE = 10_000;
$points = [];
for ($run = 0; $run <= min(5, runs()); $run++) {
    $stats = new WRStats(['servers' => [$full->address], 'persistent' => "full-$run", 'buffer_bytes' => BOUND, 'timeout' => 60.0, 'connect_timeout' => 60.0, 'shutdown_timeout' => 0]);
    $stats->incrAndGet('growth:warm');
    $full->pause();
    for ($piece = 0, $refused = 0; $refused === 0 && $piece < 100; $piece++) {
        progress("growth: buffered bytes, run $run");
        $keys = array_map(fn($i) => sprintf('growth:full:%02d:counter:%08d', $run, $i), range($piece * PIECE, ($piece + 1) * PIECE - 1));
        $from = used();
        foreach ($keys as $key) {
            $stats->incr($key, 1, 3600);
        }
        $stats->flush();
        $cpu = used() - $from;
        $metrics = $stats->metrics();
        $refused = $metrics['refused'];
        if ($refused === 0) {
            $points[$metrics['pending_bytes']][] = $cpu / PIECE;
        }
    }
    check(true, $refused > 0, 'a full buffer refuses');
    $full->resume();
    check(true, $stats->sync(30.0), 'what was buffered arrives');
    $metrics = $stats->metrics();
    check([0, 0, 0], [$metrics['failed'], $metrics['lost'], $metrics['dropped']], 'nothing of what was buffered is lost');
}
ksort($points);
// Runs differ a little in what the kernel takes.
$bins = [];
foreach ($points as $bytes => $list) {
    $bins[(int)round($bytes / (1 << 19))] = [...$bins[(int)round($bytes / (1 << 19))] ?? [], ...$list];
}
$findings->plot('Bytes buffered for a server that takes none', 'MiB', 'µs for one increment', [
    'one increment (CPU)' => array_map(fn($bin) => [$bin / 2, median($bins[$bin])], array_keys($bins)),
], 'Up to the bound of 8 MiB; what goes past it is refused and counted.');

// ---- memory ----

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
