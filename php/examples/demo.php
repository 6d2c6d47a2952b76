<?php

/**
 * Counts what MediaWiki's abuse filter counts at each edit, from several PHP processes at once; then reads it back in
 * another, checks every sum, and shows what it cost. `make demo` starts it with a memcached of its own.
 *
 * SERVERS: where to count, as in wrstats.servers ("memory:" needs no server and uses one process). It leaves nothing
 * behind that others read: its keys have a prefix of their own and expire.
 * Exit code: 0 if every sum was right.
 */

require __DIR__ . '/demo-workload.php';

const PROCESSES = 4;
const EDITS = 25;
const ROUNDS = 15;

$servers = explode(',', getenv('SERVERS') ?: '127.0.0.1:11211');
// Without fork one process does the work of all.
$forks = $servers !== ['memory:'] && function_exists('pcntl_fork');
$workload = new Workload();

$bold = fn(string $text) => colours() ? "\e[1m$text\e[0m" : $text;
$verdict = fn(bool $good, string $text) => colours() ? ($good ? "\e[32m" : "\e[1;31m") . "$text\e[0m" : $text;

echo $bold(sprintf(
    "%s, %d filters, %d metrics, on %s\n\n",
    $forks ? PROCESSES . ' PHP processes, ' . EDITS . ' edits each' : 'One PHP process, ' . PROCESSES * EDITS . ' edits',
    Workload::FILTERS,
    count(Workload::SPECS),
    implode(', ', $servers),
));

$books = $forks ? countInProcesses($servers, $workload) : [countHere($servers, $workload, range(0, PROCESSES - 1))];

$stats = new WRStats(['servers' => $servers]);
$expected = $workload->expected(PROCESSES, EDITS);
try {
    [$found, $perHour] = readBack($stats, $workload);
} catch (WRStats\ConnectionException $e) {
    fwrite(STDERR, "Reading back: {$e->getMessage()}\n");
    exit(1);
}
printTable($found, $perHour);

$wrong = array_keys(array_filter($expected, fn(array $sums, int $filter) => $sums !== $found[$filter], ARRAY_FILTER_USE_BOTH));
echo "\n", $wrong === []
    ? $verdict(true, sprintf("Sums: all %s totals are what was written.\n",
        number_format(count($expected) * count(Workload::SPECS))))
    : $verdict(false, sprintf("Sums: those of %d filters are wrong, the first is #%d: %s instead of %s.\n", count($wrong), $wrong[0],
        json_encode($found[$wrong[0]]), json_encode($expected[$wrong[0]])));
$kept = printBooks($books, $verdict);
compareCosts($servers, $verdict);

exit($wrong === [] && $kept ? 0 : 1);

function colours(): bool
{
    static $colours = null;

    return $colours ??= stream_isatty(STDOUT) && getenv('NO_COLOR') === false;
}

/**
 * Counts the edits of these processes, in this one.
 * @param list<int> $processes
 * @return array{metrics: array<string, int>, confirmed: bool}
 */
function countHere(array $servers, Workload $workload, array $processes): array
{
    $stats = new WRStats(['servers' => $servers]);
    foreach ($processes as $process) {
        for ($edit = 0; $edit < EDITS; $edit++) {
            countEdit($stats, $workload->prefix, $workload->edit($process, $edit));
            // As at the end of each request.
            $stats->flush();
        }
    }

    return ['confirmed' => $stats->sync(5.0), 'metrics' => $stats->metrics()];
}

/** Profiles every filter, as AbuseFilter does: a writer each, flushed to the queue. */
function countEdit(WRStats $stats, array $prefix, array $edit): void
{
    foreach ($edit as $filter => $values) {
        $writer = $stats->createWriter(Workload::SPECS, $prefix);
        $entity = [$filter];
        foreach ($values as $metric => $value) {
            $writer->incr($metric, $entity, $value);
        }
        $writer->flush();
    }
}

/**
 * What the last day holds, fetched in one round trip.
 * @return array{0: array<int, array<string, int>>, 1: array<int, float>} filter => metric => sum, and filter => runs per hour
 */
function readBack(WRStats $stats, Workload $workload): array
{
    $reader = $stats->createReader(Workload::SPECS, $workload->prefix);
    $day = $reader->latest(86_400);
    $rates = [];
    for ($filter = 1; $filter <= Workload::FILTERS; $filter++) {
        $rates[$filter] = $reader->getRates(array_keys(Workload::SPECS), [$filter], $day);
    }
    $found = array_map(fn(array $of) => Workload::kept($reader->total($of)), $rates);

    return [$found, array_map(fn(array $of) => $of['count']->perHour(), $rates)];
}

/** @return list<array{metrics: array<string, int>, confirmed: bool}> */
function countInProcesses(array $servers, Workload $workload): array
{
    $pipes = [];
    for ($process = 0; $process < PROCESSES; $process++) {
        [$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $pid = pcntl_fork();
        if ($pid === -1) {
            throw new RuntimeException('fork failed');
        }
        if ($pid === 0) {
            fwrite($theirs, json_encode(countHere($servers, $workload, [$process])));
            exit(0);
        }
        fclose($theirs);
        $pipes[$pid] = $ours;
    }
    $books = [];
    foreach ($pipes as $pid => $pipe) {
        $report = json_decode(stream_get_contents($pipe), true);
        pcntl_waitpid($pid, $status);
        if ($report === null) {
            throw new RuntimeException("process $pid ended without a report, exit code " . pcntl_wexitstatus($status));
        }
        $books[] = $report;
    }

    return $books;
}

/** The filters that took longest, and all of them together. */
function printTable(array $found, array $perHour): void
{
    $rows = array_map(fn(array $sums, float $hourly) => [...array_values($sums), $hourly], $found, $perHour);
    $rows = array_combine(array_keys($found), $rows);
    $total = array_map(array_sum(...), array_map(null, ...$rows));
    uasort($rows, fn(array $a, array $b) => $b[2] <=> $a[2]);

    $print = function (string $name, array $row): void {
        [$count, $matches, $time, $conditions, $hourly] = $row;
        printf("%8s %9s %9s %8.1f%% %9.3f ms %9.2f %9s\n", $name, number_format($count), number_format($matches),
            $count ? 100 * $matches / $count : 0, $count ? $time / $count / 1000 : 0, $count ? $conditions / $count : 0,
            number_format($hourly, 1));
    };
    printf("%8s %9s %9s %9s %12s %9s %9s\n", 'filter', 'runs', 'matches', 'share', 'mean time', 'mean cond', 'runs/h');
    foreach (array_slice($rows, 0, 10, true) as $filter => $row) {
        $print("#$filter", $row);
    }
    printf("%8s\n", '…');
    $print('all ' . Workload::FILTERS, $total);
    echo "         runs/h: over the last day\n";
}

/** What became of every increment. False: something is missing from the books. */
function printBooks(array $reports, callable $verdict): bool
{
    $total = [];
    foreach ($reports as ['metrics' => $metrics]) {
        foreach ($metrics as $name => $count) {
            $total[$name] = ($total[$name] ?? 0) + $count;
        }
    }
    $show = fn(string ...$names) => implode(', ', array_map(fn($name) => "$name " . number_format($total[$name]), $names));
    echo 'Books: ', $show('calls', 'refused', 'merged', 'queued'), "\n";
    echo '       ', $show('pending', 'dropped', 'sent'), ', of these ', $show('confirmed', 'unverified', 'failed', 'lost'), "\n";
    echo '       ', $show('writes', 'reads', 'bytes_sent', 'connects'), "\n";

    $written = PROCESSES * EDITS * Workload::FILTERS * count(Workload::SPECS);
    $adds = $total['calls'] === $written
        && $total['calls'] === $total['refused'] + $total['merged'] + $total['queued']
        && $total['queued'] === $total['pending'] + $total['dropped'] + $total['sent']
        && $total['sent'] === $total['in_flight'] + $total['confirmed'] + $total['unverified'] + $total['failed'] + $total['lost'];
    echo $adds
        ? $verdict(true, sprintf("       every one of %s increments is accounted for.\n", number_format($written)))
        : $verdict(false, "       the books don't add up.\n");
    $confirmed = !in_array(false, array_column($reports, 'confirmed'), true);
    if (!$confirmed) {
        echo $verdict(false, "       not everything was confirmed.\n");
    }

    return $adds && $confirmed;
}

/**
 * One edit at a time, ours and PECL memcached's in turn, on the same server: PECL as MediaWiki uses it, `add` then
 * `increment` without replies.
 */
function compareCosts(array $servers, callable $verdict): void
{
    $ours = new Workload();
    $theirs = new Workload();
    $stats = new WRStats(['servers' => $servers]);
    $pecl = extension_loaded('memcached') && $servers !== ['memory:'] ? pecl($servers) : null;
    $cost = ['ours' => [], 'theirs' => []];
    for ($round = 0; $round < ROUNDS; $round++) {
        $edit = $ours->edit(0, $round);
        $cost['ours'][] = cost(function () use ($stats, $ours, $edit) {
            countEdit($stats, $ours->prefix, $edit);
            $stats->flush();
        });
        $stats->sync();
        if ($pecl !== null) {
            $steps = $theirs->counters(0, $round);
            $cost['theirs'][] = cost(function () use ($pecl, $steps) {
                foreach ($steps as $key => $step) {
                    $pecl->add($key, 0, 93_600);
                    $pecl->increment($key, $step);
                }
            });
        }
    }
    printf("\nCost of an edit's %s increments (median of %d):\n", number_format(Workload::FILTERS * count(Workload::SPECS)), ROUNDS);
    printf("  %-16s %8.3f ms, CPU %8.3f ms\n", 'wrstats', ...medians($cost['ours']));
    if ($pecl === null) {
        echo $servers === ['memory:'] ? '' : "  PECL memcached isn't installed: nothing to compare with.\n";

        return;
    }
    printf("  %-16s %8.3f ms, CPU %8.3f ms\n", 'PECL memcached', ...medians($cost['theirs']));
    [$wall, $cpu] = medians($cost['ours']);
    [$theirWall, $theirCpu] = medians($cost['theirs']);
    echo $verdict(true, sprintf("  %.0f times less wall time, %.0f times less CPU.\n", $theirWall / $wall, $theirCpu / $cpu));
    $keys = array_keys($theirs->counters(0, 0));
    $sum = array_sum($pecl->getMulti($keys) ?: []);
    $want = array_sum(array_map(array_sum(...), $theirs->expected(1, ROUNDS)));
    if ($sum !== $want) {
        echo "  (PECL memcached's own sums are not right in this run: $sum instead of $want.)\n";
    }
}

function pecl(array $servers): Memcached
{
    $pecl = new Memcached();
    $pecl->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
    foreach ($servers as $server) {
        $colon = strrpos($server, ':');
        $server[0] === '/'
            ? $pecl->addServer($server, 0)
            : $pecl->addServer(trim(substr($server, 0, $colon), '[]'), (int)substr($server, $colon + 1));
    }
    $pecl->get('connect');
    $pecl->setOption(Memcached::OPT_NOREPLY, true);

    return $pecl;
}

/** @return array{0: float, 1: float} milliseconds on the clock, and of this process's CPU */
function cost(callable $work): array
{
    $cpu = fn(array $used) => ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1e3
        + ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']) / 1e3;
    $before = $cpu(getrusage());
    $from = hrtime(true);
    $work();
    $wall = (hrtime(true) - $from) / 1e6;

    return [$wall, $cpu(getrusage()) - $before];
}

/** @return array{0: float, 1: float} */
function medians(array $costs): array
{
    return [median(array_column($costs, 0)), median(array_column($costs, 1))];
}

function median(array $values): float
{
    sort($values);

    return (float)$values[intdiv(count($values), 2)];
}
