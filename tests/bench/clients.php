<?php

/** Ways to count: ours and its peers, each as its users would use it. Loaded by the benches that race them. */

require_once __DIR__ . '/../support/php/Server.php';

/** Seconds that counters live, for all of them. */
const TTL = 3600;

/** One counter, the end of a request, and how to know that all has arrived. */
abstract class Client
{
    /** @param list<string> $servers */
    public function __construct(protected readonly array $servers)
    {
    }

    /** A new object, as each request makes one; the connection stays open. */
    abstract public function open(): void;
    abstract public function incr(string $key): void;
    public function flush(): void
    {
    }
    /** Waits until everything has arrived. */
    public function settle(): void
    {
    }
}

final class Ours extends Client
{
    public WRStats $stats;

    public function open(): void
    {
        $this->stats = new WRStats(['servers' => $this->servers]);
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
        check(true, $this->stats->sync(30.0), 'our sync()');
    }
}

/** PECL: add, then increment, without replies. Options are set once, which is kinder to it than MediaWiki is. */
final class Pecl extends Client
{
    public Memcached $client;

    /** @param array<int, mixed> $options */
    public function __construct(array $servers, private readonly array $options = [])
    {
        parent::__construct($servers);
    }

    public function open(): void
    {
        // One pool of connections for each set of options and servers.
        $this->client = new Memcached(md5(serialize([$this->servers, $this->options])));
        if ($this->client->getServerList() === []) {
            $this->client->setOptions($this->options + [Memcached::OPT_LIBKETAMA_COMPATIBLE => true]);
            foreach ($this->servers as $server) {
                [$host, $port] = $server[0] === '/' ? [$server, 0] : explode(':', $server);
                $this->client->addServer($host, (int)$port);
            }
            $this->settle();
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
        // Enough of them that every server has one.
        $this->client->getMulti(array_map(fn($i) => "settle:$i", range(1, count($this->servers) === 1 ? 1 : 200)));
    }
}

/** PECL with memcached's binary commands, of which one makes and adds. */
final class PeclBinary extends Client
{
    private Memcached $client;

    public function open(): void
    {
        $this->client = new Memcached('binary');
        if ($this->client->getServerList() === []) {
            [$host, $port] = explode(':', $this->servers[0]);
            $this->client->setOptions([Memcached::OPT_BINARY_PROTOCOL => true, Memcached::OPT_TCP_NODELAY => true]);
            $this->client->addServer($host, (int)$port);
            $this->settle();
            $this->client->setOption(Memcached::OPT_NOREPLY, true);
        }
    }

    public function incr(string $key): void
    {
        $this->client->increment($key, 1, 1, TTL);
    }

    public function settle(): void
    {
        $this->client->get('settle');
    }
}

/** PECL by MediaWiki's hand: its class switches replies off and on for each counter. */
final class MediaWikiPecl extends Client
{
    private MemcachedPeclBagOStuff $bag;

    public function open(): void
    {
        $this->bag ??= new MemcachedPeclBagOStuff([
            'servers' => $this->servers, 'persistent' => true, 'keyspace' => 'local', 'allow_tcp_nagle_delay' => false,
        ]);
    }

    public function incr(string $key): void
    {
        $this->bag->incrWithInit($key, TTL, 1, 1, BagOStuff::WRITE_BACKGROUND);
    }

    public function settle(): void
    {
        $this->bag->get('settle');
    }
}

/** By hand: the lines that we send, each flush closed by mn, written to a stream; and what was answered so far is read. */
class Stream extends Client
{
    /** @var resource|null */
    protected $stream = null;
    private string $buffer = '';
    private string $answers = '';
    private int $unconfirmed = 0;

    public function open(): void
    {
        if ($this->stream === null) {
            $server = $this->servers[0];
            $this->stream = stream_socket_client($server[0] === '/' ? "unix://$server" : "tcp://$server");
            stream_set_blocking($this->stream, false);
        }
    }

    public function incr(string $key): void
    {
        $this->buffer .= "ma $key N" . TTL . " J1 D1 q\r\n";
        if (strlen($this->buffer) >= 48 << 10) {
            $this->send($this->buffer);
            $this->buffer = '';
        }
    }

    public function flush(): void
    {
        $this->unconfirmed++;
        $this->read();
        $this->send($this->buffer . "mn\r\n");
        $this->buffer = '';
    }

    public function settle(): void
    {
        while ($this->unconfirmed > 0) {
            $this->wait();
            $this->read();
        }
    }

    /** Feeds what was prepared, as fast as the server takes it, and waits for the last command's answer. */
    public function feed(array $pieces): void
    {
        $this->unconfirmed++;
        foreach ($pieces as $number => $piece) {
            $this->send($piece);
            // About once per MiB: more often costs more than it brings.
            if ($number % 20 === 19) {
                $this->read();
            }
        }
        $this->send("mn\r\n");
        $this->settle();
    }

    /** What a whole exchange answers, up to this end. */
    public function ask(string $command, string $end): string
    {
        $this->send($command);
        for ($answer = ''; !str_ends_with($answer, $end); $answer .= fread($this->stream, 1 << 16)) {
            $this->wait();
        }

        return $answer;
    }

    protected function send(string $bytes): void
    {
        for ($sent = 0; $sent < strlen($bytes);) {
            $taken = (int)fwrite($this->stream, $sent === 0 ? $bytes : substr($bytes, $sent));
            $sent += $taken;
            if ($taken === 0) {
                // The server may wait for its answers to be read.
                $this->read();
                [$read, $write, $none] = [[$this->stream], [$this->stream], null];
                stream_select($read, $write, $none, 5);
            }
        }
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

/** phpredis: a pipeline for each flush; a counter is made with its expiry and added to by two commands. */
final class PhpRedis extends Client
{
    private Redis $client;
    private int $queued = 0;

    public function open(): void
    {
        if (!isset($this->client)) {
            [$host, $port] = explode(':', $this->servers[0]);
            $this->client = new Redis();
            $this->client->pconnect($host, (int)$port);
        }
    }

    public function incr(string $key): void
    {
        if ($this->queued === 0) {
            $this->client->multi(Redis::PIPELINE);
        }
        $this->client->set($key, 0, ['nx', 'ex' => TTL]);
        $this->client->incr($key);
        if (++$this->queued === 1000) {
            $this->flush();
        }
    }

    public function flush(): void
    {
        if ($this->queued > 0) {
            $this->client->exec();
            $this->queued = 0;
        }
    }

    public function sum(array $keys): int
    {
        return array_sum(array_map(fn(array $some) => array_sum($this->client->mget($some)), array_chunk($keys, 1000)));
    }
}

/** No network at all: shared memory of one host. */
final class Apcu extends Client
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

/** What the loops themselves cost; taken off every peer. */
final class Nothing extends Client
{
    public function open(): void
    {
    }

    public function incr(string $key): void
    {
    }
}

/** Reads what a memcached holds, on a connection that belongs to none of the peers. */
final class Ledger
{
    private Stream $stream;

    public function __construct(string $server)
    {
        $this->stream = new Stream([$server]);
        $this->stream->open();
    }

    /** @param list<string> $keys */
    public function sum(array $keys): int
    {
        $sum = 0;
        foreach (array_chunk($keys, 1000) as $some) {
            $answer = $this->stream->ask('get ' . implode(' ', $some) . "\r\n", "END\r\n");
            preg_match_all('/^VALUE .*\r\n(\d+)/m', $answer, $values);
            $sum += array_sum($values[1]);
        }

        return $sum;
    }

    /** Empties the server. */
    public function clear(): void
    {
        $this->stream->ask("flush_all\r\n", "OK\r\n");
    }
}
