<?php

/**
 * Counting side by side, in one process: wrstats, PECL memcached in four ways, a PHP stream writing meta commands, phpredis,
 * apcu. All have the same keys, expiry and meaning: made with an expiry that later increments leave alone. What the loop itself
 * costs is taken off.
 *
 * usage: bench.sh peers
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/clients.php';
require __DIR__ . '/../support/php/mediawiki.php';

use WRStats\Tests\Server;

const OPS = 10_000;
const REQUESTS = 500;
const MILLION = 1_000_000;

$findings = new Findings('peers');
$tcp = Server::tcp('-m', '1024', '-t', '2', '-c', '1024', '-l', implode(',', array_map(fn($i) => "127.0.0.$i", range(1, 8))));
$port = explode(':', $tcp->address)[1];
$eight = array_map(fn($i) => "127.0.0.$i:$port", range(1, 8));
$unix = Server::unix('-m', '1024', '-t', '2', '-c', '1024');
$ledgers = [$tcp->address => new Ledger($tcp->address), $unix->address => new Ledger($unix->address)];

/** Keys of a run's own, 34 bytes like those of MediaWiki's abuse filter. */
$key = fn(int $number): string => sprintf('wiki:bench:%08x:counter:', (getmypid() << 16 ^ $number) & 0xffffffff);
$clients = fn(array $servers) => ['wrstats' => new Ours($servers), 'PHP stream, ma' => new Stream($servers)]
    + (extension_loaded('memcached') ? [
        'PECL memcached, no replies' => new Pecl($servers),
        'PECL memcached, no replies, Nagle off' => new Pecl($servers, [Memcached::OPT_TCP_NODELAY => true]),
    ] : []);
$all = $clients([$tcp->address]);
if (extension_loaded('memcached')) {
    $all['PECL memcached, binary, no replies'] = new PeclBinary([$tcp->address]);
    $all['PECL memcached, by MediaWiki'] = new MediaWikiPecl([$tcp->address]);
} else {
    $findings->missing('PECL memcached: the module is not installed');
}
if (extension_loaded('apcu') && apcu_enabled()) {
    $all['apcu (one host, no network)'] = new Apcu([]);
} else {
    $findings->missing('apcu: the module is not installed');
}
if (extension_loaded('redis') && getenv('WRSTATS_BENCH_REDIS')) {
    $all['phpredis, pipeline'] = new PhpRedis([getenv('WRSTATS_BENCH_REDIS')]);
} else {
    $findings->missing('phpredis: the module redis and redis-server are not installed');
}

/**
 * @param array<string, Client> $clients
 * @param int $ops increments of a run
 * @param callable(Client, string, int): void $work given the client, the start of the run's keys, how many increments
 * @param callable(string, int): list<string> $keys those that then hold the increments
 * @param int $each how many increments are one in the table
 */
$shape = function (string $title, array $clients, int $ops, callable $work, callable $keys, int $each = 1, string $of = 'one increment') use ($key, $ledgers, $findings): array {
    $peers = $counts = [];
    foreach ($ledgers as $ledger) {
        $ledger->clear();
    }
    foreach (['loop' => new Nothing([])] + $clients as $name => $client) {
        // Fewer where each takes long: the times are for one.
        $n = $client instanceof MediaWikiPecl ? intdiv($ops, 10) : $ops;
        $client->open();
        $peers[$name] = fn(int $number) => $work($client, $key($number), $n);
        $counts[$name] = intdiv($n, $each);
    }
    $times = race($title, $peers, $counts, function (string $name, int $number) use ($clients, $counts, $each, $key, $keys, $ledgers): ?int {
        $client = $clients[$name] ?? null;
        if ($client === null) {
            return null;
        }
        $client->settle();
        $n = $counts[$name] * $each;
        $reader = method_exists($client, 'sum') ? $client : $ledgers[(fn() => $this->servers[0])->call($client)];

        return $n - $reader->sum($keys($key($number), $n));
    });
    $loop = $times['loop'];
    unset($times['loop']);

    return $findings->table($title, $of, $times, 'cpu', $loop);
};
$numbered = fn(string $key, int $n) => array_map(fn($i) => $key . $i, range(0, $n - 1));
$made = function (Client $client, string $key, int $n): void {
    for ($i = 0; $i < $n; $i++) {
        $client->incr($key . $i);
    }
    $client->flush();
};

$medians = $shape('New keys, made in the loop', $all, OPS, $made, $numbered);
$findings->wanted('incr() of a new key, client CPU', $medians['wrstats'], '<=', 0.03, 'µs');
$pecl = fn(array $medians) => min(array_filter($medians, fn($name) => str_starts_with($name, 'PECL memcached, no replies'), ARRAY_FILTER_USE_KEY) ?: [NAN]);
$findings->wanted('new keys: the faster PECL / ours', $pecl($medians) / $medians['wrstats'], '>=', 40);
$findings->wanted('new keys: ours / PHP stream', $medians['wrstats'] / $medians['PHP stream, ma'], '<=', 0.7);

// Ready before the clock starts: the run's number is known a turn ahead.
$ready = [];
$medians = $shape('New keys, ready-made', $all, OPS, function (Client $client, string $key, int $n) use (&$ready, $numbered): void {
    foreach ($ready[$key] ??= $numbered($key, $n) as $one) {
        $client->incr($one);
    }
    $client->flush();
}, function (string $key, int $n) use (&$ready, $numbered) {
    $ready = [];

    return $numbered($key, $n);
});

$medians = $shape('The same key again, merged', $all, OPS, function (Client $client, string $key, int $n): void {
    for ($i = 0; $i < $n; $i++) {
        $client->incr($key);
    }
    $client->flush();
}, fn(string $key) => [$key]);
$findings->wanted('incr() of the same key, client CPU', $medians['wrstats'], '<=', 0.016, 'µs');
if (isset($medians['apcu (one host, no network)'])) {
    $findings->wanted('the same key: ours / apcu', $medians['wrstats'] / $medians['apcu (one host, no network)'], '<=', 0.25);
}

$medians = $shape('New keys over 8 servers, ketama', array_filter($clients($eight), fn($client) => !$client instanceof Stream), OPS, $made, $numbered);
$findings->wanted('incr() of a new key over 8 servers, client CPU', $medians['wrstats'], '<=', 0.09, 'µs');

$medians = $shape('New keys on a unix socket', $clients([$unix->address]), OPS, $made, $numbered);

// ---- requests ----

/** The same two system calls with bytes that are ready: what the calls themselves take. */
final class Prepared extends Stream
{
    private array $of = [];

    public function prepare(string $key, int $counters): void
    {
        $this->of[$key] ??= implode('', array_map(fn($i) => "ma $key$i N" . TTL . " J1 D1 q\r\n", range(0, $counters - 1))) . "mn\r\n";
        $this->of = [$key => $this->of[$key]];
    }

    public function request(string $key): void
    {
        fread($this->stream, 1 << 16);
        $this->send($this->of[$key]);
    }

    public function settle(): void
    {
        // The server takes a connection's commands in turn, and nothing before is answered by EN.
        $this->ask("mg settle\r\n", "EN\r\n");
    }
}
foreach (['TCP' => $tcp->address, 'a unix socket' => $unix->address] as $on => $address) {
    $requests = function (Client $client, string $key, int $n): void {
        if ($client instanceof Prepared) {
            $client->prepare($key, 5);
            for ($i = 0; $i < $n; $i += 5) {
                $client->request($key);
            }

            return;
        }
        for ($i = 0; $i < $n; $i += 5) {
            $client->open();
            for ($j = 0; $j < 5; $j++) {
                $client->incr($key . $j);
            }
            $client->flush();
        }
    };
    $some = $on === 'TCP' ? array_diff_key($all, ['apcu (one host, no network)' => 1]) : $clients([$address]);
    $medians = $shape("A request of 5 counters, a new object on a kept connection, $on", $some + ['the system calls alone, from PHP' => new Prepared([$address])],
        5 * REQUESTS, $requests, fn(string $key) => $numbered($key, 5), 5, 'one request');
    $findings->wanted("a request of 5 counters, $on: beyond its system calls", $medians['wrstats'] - $medians['the system calls alone, from PHP'], '<=', 0.5, 'µs');
}

// ---- 100 counters read ----

$keys = $numbered($key(0xfffe), 100);
$stats = new WRStats(['servers' => [$tcp->address]]);
$stats->incrMulti(array_fill_keys($keys, 7), TTL);
$stats->sync();
$stream = new Stream([$tcp->address]);
$stream->open();
$line = 'get ' . implode(' ', $keys) . "\r\n";
$many = fn(callable $work) => function () use ($work) {
    for ($i = 0; $i < 20; $i++) {
        $answer = $work();
    }

    return $answer;
};
$peers = [
    'wrstats, getCounters()' => $many(fn() => $stats->getCounters($keys)),
    'wrstats, getMulti()' => $many(fn() => $stats->getMulti($keys)),
    'the raw exchange, nothing parsed' => $many(fn() => $stream->ask($line, "END\r\n")),
];
if (extension_loaded('memcached')) {
    $pecl_client = new Pecl([$tcp->address], [Memcached::OPT_TCP_NODELAY => true]);
    $pecl_client->open();
    $pecl_client->client->setOption(Memcached::OPT_NOREPLY, false);
    $peers['PECL memcached, getMulti()'] = $many(fn() => $pecl_client->client->getMulti($keys));
}
$times = race('100 counters read', $peers, 20, function (string $name, int $number, array|string $answer): ?int {
    $found = is_array($answer) ? array_sum($answer) : 7 * substr_count($answer, "\r\n7\r\n");
    check(700, $found, $name);

    return null;
});
$medians = $findings->table('100 counters read at once', 'one read', $times, 'wall');
$findings->wanted('100 counters: ours / the raw exchange', $medians['wrstats, getCounters()'] / $medians['the raw exchange, nothing parsed'], '<=', 1.15);
if (isset($medians['PECL memcached, getMulti()'])) {
    $findings->wanted('100 counters: ours / PECL', $medians['wrstats, getCounters()'] / $medians['PECL memcached, getMulti()'], '<=', 0.9);
}

// ---- a million ----

ini_set('memory_limit', '2G');
// What the server can't take at once waits here: all of it is wanted, so there is room for it.
$stats = new WRStats(['servers' => [$tcp->address], 'buffer_bytes' => 1 << 28]);
$tails = array_map(strval(...), range(0, MILLION - 1));
$keys = $pieces = [];
$peers = [
    'wrstats' => function () use (&$keys, $stats) {
        foreach ($keys as $one) {
            $stats->incr($one, 1, TTL);
        }
        check(true, $stats->sync(60.0), 'sync() of a million');
    },
    'bytes prepared, fed from PHP' => function () use (&$pieces, $stream) {
        $stream->feed($pieces);
    },
];
// The same keys in all runs: the first makes them, the others, as on most days, find them there.
$start = $key(0xffff);
$keys = array_map(fn($tail) => $start . $tail, $tails);
foreach (array_chunk($keys, 900) as $some) {
    $pieces[] = implode('', array_map(fn($one) => "ma $one N" . TTL . " J1 D1 q\r\n", $some));
}
$sample = array_map(fn($i) => $keys[$i], range(0, MILLION - 1, 100));
$ledgers[$tcp->address]->clear();
$before = 0;
$times = race('a million different increments, confirmed', $peers, MILLION, function (string $name) use ($ledgers, $tcp, $sample, &$before): int {
    $sum = $ledgers[$tcp->address]->sum($sample);
    [$added, $before] = [$sum - $before, $sum];

    return 100 * (count($sample) - $added);
});
$medians = $findings->table('A million different increments, confirmed', 'one increment', $times, 'wall',
    note: 'The keys are there already; a read of every hundredth checks each run.');
$findings->wanted('a million confirmed: ours / bytes prepared', $medians['wrstats'] / $medians['bytes prepared, fed from PHP'], '<=', 1.05);
