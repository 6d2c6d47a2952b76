<?php

/**
 * Counting side by side, on one server, in one process: wrstats, PECL memcached as MediaWiki uses it, a PHP stream
 * writing meta commands, apcu. The peers take turns; every run ends in a read that checks the sum; what is shown is
 * the median of RUNS runs, in client CPU and on the clock, and the ratio to ours. What the loop itself costs is taken off.
 *
 * Shapes: "new keys" in a tight loop (the key is made in the loop), "same key", "request": 5 counters, a new object on a
 * connection that stays. usage: peers.php [RUNS], with the server in WRSTATS_TEST_SERVER.
 */

const OPS = 20_000;
const REQUESTS = 1_000;
const PER_REQUEST = 5;
const TTL = 3600;

$runs = (int)($argv[1] ?? 15);
[$host, $port] = explode(':', getenv('WRSTATS_TEST_SERVER'));
$address = "$host:$port";

/** What each peer does for one counter, at the end of a request, and to open; and how the sum is read. */
abstract class Peer
{
    abstract public function open(): void;
    abstract public function incr(string $key): void;
    public function flush(): void
    {
    }
    /** Waits until everything has arrived. */
    public function settle(): void
    {
    }
    /** @param list<string> $keys */
    abstract public function sum(array $keys): int;
}

final class Ours extends Peer
{
    private WRStats $stats;
    private readonly array $config;

    public function __construct(string $address)
    {
        $this->config = ['servers' => [$address]];
    }

    public function open(): void
    {
        $this->stats = new WRStats($this->config);
    }

    public function incr(string $key): void
    {
        $this->stats->incr($key, 1, TTL);
    }

    public function flush(): void
    {
        $this->stats->flush();
    }

    public function settle(): void
    {
        $this->stats->sync(10.0);
    }

    public function sum(array $keys): int
    {
        return array_sum($this->stats->getCounters($keys));
    }
}

/** PECL: add, then increment, both without replies. Options set once, which is kinder to it than MediaWiki is. */
final class Pecl extends Peer
{
    private Memcached $client;

    public function __construct(private readonly string $host, private readonly int $port)
    {
    }

    public function open(): void
    {
        $this->client = new Memcached('peers');
        if ($this->client->getServerList() === []) {
            $this->client->addServer($this->host, $this->port);
            $this->client->get('connect');
            $this->client->setOption(Memcached::OPT_NOREPLY, true);
        }
    }

    public function incr(string $key): void
    {
        $this->client->add($key, 0, TTL);
        $this->client->increment($key, 1);
    }

    public function settle(): void
    {
        $this->client->get('settle');
    }

    public function sum(array $keys): int
    {
        return array_sum(array_map(intval(...), $this->client->getMulti($keys)));
    }
}

/** By hand: the lines that we send, each flush closed by mn, written to a stream; and what was answered so far is read. */
final class Stream extends Peer
{
    /** @var resource|null */
    private $stream = null;
    private string $buffer = '';
    private string $answers = '';
    private int $unconfirmed = 0;

    public function __construct(private readonly string $address)
    {
    }

    public function open(): void
    {
        if ($this->stream === null) {
            $this->stream = stream_socket_client("tcp://$this->address");
            stream_set_blocking($this->stream, false);
        }
    }

    public function incr(string $key): void
    {
        $this->buffer .= "ma $key N" . TTL . " J1 D1 q\r\n";
        if (strlen($this->buffer) >= 48 << 10) {
            $this->send();
        }
    }

    public function flush(): void
    {
        $this->buffer .= "mn\r\n";
        $this->unconfirmed++;
        $this->read();
        $this->send();
    }

    public function settle(): void
    {
        while ($this->unconfirmed > 0) {
            $this->wait();
            $this->read();
        }
    }

    public function sum(array $keys): int
    {
        $sum = 0;
        foreach (array_chunk($keys, 1000) as $chunk) {
            $this->buffer = 'get ' . implode(' ', $chunk) . "\r\n";
            $this->send();
            for ($answer = ''; !str_ends_with($answer, "END\r\n"); $answer .= fread($this->stream, 1 << 16)) {
                $this->wait();
            }
            preg_match_all('/^VALUE .*\r\n(\d+)/m', $answer, $values);
            $sum += array_sum($values[1]);
        }

        return $sum;
    }

    private function send(): void
    {
        for ($sent = 0; $sent < strlen($this->buffer);) {
            $sent += fwrite($this->stream, $sent === 0 ? $this->buffer : substr($this->buffer, $sent));
        }
        $this->buffer = '';
    }

    /** Servers before 1.6.40 answer creations in spite of q: only MN counts. */
    private function read(): void
    {
        $this->answers = substr($this->answers, -3) . fread($this->stream, 1 << 16);
        $this->unconfirmed -= substr_count($this->answers, "MN\r\n");
    }

    private function wait(): void
    {
        [$read, $none] = [[$this->stream], null];
        stream_select($read, $none, $none, 5);
    }
}

/** What the loops themselves cost; taken off every peer. */
final class Nothing extends Peer
{
    public function open(): void
    {
    }

    public function incr(string $key): void
    {
    }

    public function sum(array $keys): int
    {
        return 0;
    }
}

/** No network at all: shared memory of one host. */
final class Apcu extends Peer
{
    public function open(): void
    {
    }

    public function incr(string $key): void
    {
        apcu_inc($key, 1, $success, TTL);
    }

    public function sum(array $keys): int
    {
        $sum = array_sum(apcu_fetch($keys));
        // A table that grew full of earlier runs' keys would slow the later ones.
        apcu_clear_cache();

        return $sum;
    }
}

$peers = ['loop' => new Nothing(), 'wrstats' => new Ours($address), 'PHP stream, ma' => new Stream($address)];
if (extension_loaded('memcached')) {
    $peers['PECL memcached'] = new Pecl($host, (int)$port);
}
if (extension_loaded('apcu') && apcu_enabled()) {
    $peers['apcu (one host)'] = new Apcu();
}

// Shape => [how many increments, what is timed, the keys that hold them].
$shapes = [
    'tight loop, new keys' => [OPS, function (Peer $peer, string $run): void {
        for ($i = 0; $i < OPS; $i++) {
            $peer->incr("wiki:bench:$run:counter:$i");
        }
        $peer->flush();
    }, fn(string $run) => array_map(fn($i) => "wiki:bench:$run:counter:$i", range(0, OPS - 1))],
    'tight loop, same key' => [OPS, function (Peer $peer, string $run): void {
        $key = "wiki:bench:$run:counter";
        for ($i = 0; $i < OPS; $i++) {
            $peer->incr($key);
        }
        $peer->flush();
    }, fn(string $run) => ["wiki:bench:$run:counter"]],
    'request of 5 counters' => [REQUESTS * PER_REQUEST, function (Peer $peer, string $run): void {
        for ($i = 0; $i < REQUESTS; $i++) {
            $peer->open();
            for ($j = 0; $j < PER_REQUEST; $j++) {
                $peer->incr("wiki:bench:$run:counter:$j");
            }
            $peer->flush();
        }
    }, fn(string $run) => array_map(fn($j) => "wiki:bench:$run:counter:$j", range(0, PER_REQUEST - 1))],
];

printf("%s, PHP %s, median of %d runs; client CPU and wall time in µs per increment, less the loop\n",
    php_uname('m'), PHP_VERSION, $runs);
$exit = 0;
foreach ($shapes as $shape => [$ops, $work, $keys]) {
    $times = array_fill_keys(array_keys($peers), []);
    $wrong = [];
    // The first run only warms up.
    for ($run = 0; $run <= $runs; $run++) {
        foreach ($peers as $name => $peer) {
            $id = substr(md5("$shape $run $name " . getmypid()), 0, 8);
            $peer->open();
            $before = used();
            $from = hrtime(true);
            $work($peer, $id);
            $wall = (hrtime(true) - $from) / 1e3;
            $cpu = used() - $before;
            $peer->settle();
            if (!$peer instanceof Nothing && ($sum = $peer->sum($keys($id))) !== $ops) {
                $wrong[$name][] = $ops - $sum;
            }
            if ($run > 0) {
                $times[$name][] = [$cpu / $ops, $wall / $ops];
            }
        }
    }
    [$loopCpu, $loopWall] = [median(array_column($times['loop'], 0)), median(array_column($times['loop'], 1))];
    unset($times['loop']);
    $ours = median(array_column($times['wrstats'], 0)) - $loopCpu;
    printf("\n%-24s %10s %19s %10s %10s\n", $shape, 'CPU', 'least … most', 'wall', 'CPU/ours');
    foreach ($times as $name => $list) {
        $cpu = array_map(fn(float $cpu) => $cpu - $loopCpu, array_column($list, 0));
        printf("  %-22s %10.3f %8.3f %8.3f %10.3f %9.2fx%s\n", $name, median($cpu), min($cpu), max($cpu),
            median(array_column($list, 1)) - $loopWall, median($cpu) / $ours,
            isset($wrong[$name]) ? '  LOST ' . array_sum($wrong[$name]) . ' in ' . count($wrong[$name]) . ' runs' : '');
    }
    $exit = isset($wrong['wrstats']) ? 1 : $exit;
}
exit($exit);

function median(array $values): float
{
    sort($values);

    return $values[intdiv(count($values), 2)];
}

/** Microseconds of CPU of this process so far. */
function used(): float
{
    $used = getrusage();

    return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1e6 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
}
