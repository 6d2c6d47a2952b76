<?php

/**
 * How costs grow with keys per flush, servers, lengths of keys and what is buffered. usage: bench.sh growth
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
