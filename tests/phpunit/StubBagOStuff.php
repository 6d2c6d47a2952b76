<?php

namespace WRStats\Tests;

use WRStats;

/**
 * The methods of MediaWiki's BagOStuff that counters and values need, under their documented names and with their
 * documented meaning, on a WRStats handle: as small as an adapter can be, so that a test of it is a test of the handle.
 */
final class StubBagOStuff
{
    public const WRITE_BACKGROUND = 64;

    /** As BagOStuff does: larger numbers are times, not durations. */
    private const TEN_YEARS = 315_360_000;

    public function __construct(private readonly WRStats $client, private readonly string $keyspace)
    {
    }

    public function makeKey(string $group, string|int ...$components): string
    {
        return $this->join($this->keyspace, $group, ...$components);
    }

    public function makeGlobalKey(string $group, string|int ...$components): string
    {
        return $this->join('global', $group, ...$components);
    }

    /** False: no such key. */
    public function get(string $key): string|int|false
    {
        $value = $this->client->get($key);

        return $value === null ? false : $this->decode($value);
    }

    /** @return array<string, string|int> present keys only */
    public function getMulti(array $keys): array
    {
        return array_map($this->decode(...), $this->client->getMulti($keys));
    }

    public function set(string $key, string|int $value, int $exptime = 0, int $flags = 0): bool
    {
        $ttl = $this->duration($exptime);
        if ($ttl === null) {
            $this->client->delete($key);

            return true;
        }

        return $this->client->set($key, (string)$value, $ttl, background: $this->inBackground($flags));
    }

    public function setMulti(array $values, int $exptime = 0, int $flags = 0): bool
    {
        return $this->client->setMulti(
            array_map(strval(...), $values),
            $this->duration($exptime),
            background: $this->inBackground($flags),
        );
    }

    public function add(string $key, string|int $value, int $exptime = 0): bool
    {
        return $this->client->add($key, (string)$value, $this->duration($exptime));
    }

    /** That there was nothing to delete counts as success. */
    public function delete(string $key, int $flags = 0): bool
    {
        $this->client->delete($key, $this->inBackground($flags));

        return true;
    }

    public function deleteMulti(array $keys, int $flags = 0): bool
    {
        return $this->client->deleteMulti($keys, $this->inBackground($flags));
    }

    public function changeTTL(string $key, int $exptime = 0, int $flags = 0): bool
    {
        return $this->client->touch($key, $this->duration($exptime), $this->inBackground($flags));
    }

    /** The new value; in the background: true. */
    public function incrWithInit(string $key, int $exptime, int $step = 1, ?int $init = null, int $flags = 0): int|bool
    {
        $ttl = $this->duration($exptime);

        return $this->inBackground($flags)
            ? $this->client->incr($key, $step, $ttl, $init)
            : $this->client->incrAndGet($key, $step, $ttl, $init);
    }

    /** Until nobody changed the value between reading and writing; $change answers false to give up. */
    public function merge(string $key, callable $change, int $exptime = 0, int $attempts = 10): bool
    {
        while ($attempts-- > 0) {
            $item = $this->client->get($key, WRStats::GET_EXTENDED);
            $value = $change($this, $key, $item === null ? false : $this->decode($item['value']), $exptime);
            if ($value === false) {
                return false;
            }
            $stored = $item === null
                ? $this->client->add($key, (string)$value, $this->duration($exptime))
                : $this->client->cas($item['cas'], $key, (string)$value, $this->duration($exptime));
            if ($stored) {
                return true;
            }
        }

        return false;
    }

    private function inBackground(int $flags): bool
    {
        return ($flags & self::WRITE_BACKGROUND) !== 0;
    }

    /** Seconds from now; null: a time in the past. */
    private function duration(int $exptime): ?int
    {
        if ($exptime < self::TEN_YEARS) {
            return $exptime < 0 ? null : $exptime;
        }

        return $exptime > time() ? $exptime - time() : null;
    }

    private function decode(string $value): string|int
    {
        return ctype_digit($value) ? (int)$value : $value;
    }

    private function join(string|int ...$components): string
    {
        return implode(':', array_map(fn($component) => strtr((string)$component, [
            '%' => '%25', ':' => '%3A', '#' => '%23', ' ' => '_',
        ]), $components));
    }
}
