<?php

namespace WRStats\Psr16;

use Psr\SimpleCache\CacheInterface;
use WRStats\PeclValues;

/**
 * PSR-16, versions 1 to 3. A server that doesn't answer is a miss when reading, false when writing; $stats->lastError() says
 * why. Values are stored as PECL memcached stores them. Put a prefix into the config of $stats, as others use the servers, too.
 */
final class Cache implements CacheInterface
{
    /** @param int $defaultTtl seconds for what is set without one; 0: for ever */
    public function __construct(private readonly \WRStats $stats, private readonly int $defaultTtl = 0)
    {
    }

    public function get($key, $default = null): mixed
    {
        return $this->getMultiple([$key], $default)[$key];
    }

    public function set($key, $value, $ttl = null): bool
    {
        return $this->setMultiple([self::key($key) => $value], $ttl);
    }

    public function delete($key): bool
    {
        return $this->deleteMultiple([$key]);
    }

    /** Always false: memcached can only forget everything, that of its other users and all counters, too. */
    public function clear(): bool
    {
        return false;
    }

    public function getMultiple($keys, $default = null): iterable
    {
        $keys = self::keys($keys);
        $found = self::checked(fn () => $this->stats->getMulti($keys, \WRStats::GET_EXTENDED));
        $values = [];
        foreach ($keys as $key) {
            $values[$key] = $default;
            if (isset($found[$key])) {
                $value = PeclValues::decode($found[$key]['value'], $found[$key]['flags'], $known);
                $values[$key] = $known ? $value : $default;
            }
        }

        return $values;
    }

    public function setMultiple($values, $ttl = null): bool
    {
        if (!is_iterable($values)) {
            throw new InvalidArgument('values must be an array or Traversable, ' . get_debug_type($values) . ' given');
        }
        $groups = [];
        $keys = [];
        foreach ($values as $key => $value) {
            // An array can't hold "7" but as 7.
            $keys[] = $key = self::key(is_int($key) ? (string)$key : $key);
            [$bytes, $flags] = PeclValues::encode($value);
            $groups[$flags][$key] = $bytes;
        }
        $seconds = $this->seconds($ttl);
        if ($seconds < 0) {
            return $this->deleteMultiple($keys);
        }
        $stored = true;
        foreach ($groups as $flags => $group) {
            $stored = self::checked(fn () => $this->stats->setMulti($group, $seconds, $flags)) && $stored;
        }

        return $stored;
    }

    public function deleteMultiple($keys): bool
    {
        $keys = self::keys($keys);

        return self::checked(fn () => $this->stats->deleteMulti($keys));
    }

    public function has($key): bool
    {
        $keys = [self::key($key)];

        return self::checked(fn () => $this->stats->getMulti($keys)) !== [];
    }

    /** Below 0: expired already. */
    private function seconds(mixed $ttl): int
    {
        if ($ttl instanceof \DateInterval) {
            $now = new \DateTimeImmutable();
            $ttl = $now->add($ttl)->getTimestamp() - $now->getTimestamp();
        } elseif ($ttl === null) {
            return $this->defaultTtl;
        } elseif (!is_int($ttl)) {
            throw new InvalidArgument('a time to live must be null, an int or a DateInterval, ' . get_debug_type($ttl) . ' given');
        }

        return $ttl > 0 ? $ttl : -1;
    }

    /** @return list<string> */
    private static function keys(mixed $keys): array
    {
        if (!is_iterable($keys)) {
            throw new InvalidArgument('keys must be an array or Traversable, ' . get_debug_type($keys) . ' given');
        }
        $list = [];
        foreach ($keys as $key) {
            $list[] = self::key($key);
        }

        return $list;
    }

    private static function key(mixed $key): string
    {
        if (!is_string($key)) {
            throw new InvalidArgument('a key must be a string, ' . get_debug_type($key) . ' given');
        }
        if (strpbrk($key, '{}()/\@:') !== false) {
            throw new InvalidArgument("a key must not hold any of {}()/\\@: (PSR-16), \"$key\" given");
        }

        return $key;
    }

    /** What memcached itself can't take is named as PSR-16 wants it. */
    private static function checked(\Closure $call): mixed
    {
        try {
            return $call();
        } catch (\ValueError $error) {
            throw new InvalidArgument($error->getMessage(), 0, $error);
        }
    }
}
