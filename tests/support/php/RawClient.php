<?php

namespace WRStats\Tests;

/**
 * Speaks memcached's text protocol over a PHP stream, one command at a time, so that tests see what a server really
 * holds without asking the code under test.
 */
final class RawClient
{
    /** @var resource */
    private $stream;

    /** @param string $address "host:port", "[::1]:port" or "/path.sock" */
    public function __construct(string $address)
    {
        $target = $address[0] === '/' ? "unix://$address" : "tcp://$address";
        $stream = @stream_socket_client($target, $code, $message, 2);
        if ($stream === false) {
            throw new \RuntimeException("no connection to $target: $message");
        }
        stream_set_timeout($stream, 5);
        $this->stream = $stream;
    }

    /** The answer's first line to one command. */
    public function command(string $line, ?string $data = null): string
    {
        fwrite($this->stream, $line . "\r\n" . ($data === null ? '' : $data . "\r\n"));

        return $this->line();
    }

    /** The stored bytes; null: no such key. */
    public function get(string $key): ?string
    {
        return $this->item($key)['value'] ?? null;
    }

    /** @return array{value: string, flags: int, cas: int}|null */
    public function item(string $key): ?array
    {
        $head = explode(' ', $this->command("gets $key"));
        if ($head[0] === 'END') {
            return null;
        }
        $value = $head[3] === '0' ? '' : stream_get_contents($this->stream, (int)$head[3]);
        $this->line();
        $this->line();

        return ['value' => $value, 'flags' => (int)$head[2], 'cas' => (int)$head[4]];
    }

    /** Seconds left; -1: never expires; null: no such key. */
    public function ttl(string $key): ?int
    {
        $answer = $this->command("mg $key t");

        return preg_match('/^HD t(-?\d+)/', $answer, $found) ? (int)$found[1] : null;
    }

    public function set(string $key, string $value, int $ttl = 0, int $flags = 0): void
    {
        $answer = $this->command("set $key $flags $ttl " . strlen($value), $value);
        if ($answer !== 'STORED') {
            throw new \RuntimeException("set $key: $answer");
        }
    }

    public function delete(string $key): void
    {
        $this->command("delete $key");
    }

    /** @return array<string, string> the server's own books */
    public function stats(string $about = ''): array
    {
        $stats = [];
        $line = $this->command(rtrim("stats $about"));
        for (; preg_match('/^STAT (\S+) (.*)/', $line, $found); $line = $this->line()) {
            $stats[$found[1]] = $found[2];
        }

        return $stats;
    }

    public function stat(string $name): int
    {
        return (int)$this->stats()[$name];
    }

    private function line(): string
    {
        $line = fgets($this->stream);
        if ($line === false) {
            throw new \RuntimeException('the server closed the connection or did not answer within 5 s');
        }

        return rtrim($line, "\r\n");
    }
}
