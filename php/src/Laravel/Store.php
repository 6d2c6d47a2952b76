<?php

namespace WRStats\Laravel;

use Illuminate\Cache\TaggableStore;
use Illuminate\Contracts\Cache\LockProvider;
use WRStats\PeclValues;

/**
 * A cache store for Laravel (illuminate/cache), which its RateLimiter counts on. Keys and values are those of Laravel's own
 * memcached store, so either reads what the other wrote. A server that doesn't answer is a miss when reading, false when
 * writing, as Laravel's stores do it; $stats->lastError() says why.
 */
final class Store extends TaggableStore implements LockProvider
{
    use FalseOnFailure;

    private readonly string $prefix;

    public function __construct(private readonly \WRStats $stats, string $prefix = '')
    {
        $this->prefix = $prefix === '' ? '' : "$prefix:";
    }

    public function get($key)
    {
        return $this->many([$key])[$key];
    }

    public function many(array $keys)
    {
        $found = $this->stats->getMulti(array_map(fn ($key) => $this->prefix . $key, $keys), \WRStats::GET_EXTENDED);
        $values = [];
        foreach ($keys as $key) {
            $item = $found[$this->prefix . $key] ?? null;
            $values[$key] = $item === null ? null : PeclValues::decode($item['value'], $item['flags']);
        }

        return $values;
    }

    public function put($key, $value, $seconds)
    {
        [$bytes, $flags] = PeclValues::encode($value);

        return $this->answer(fn () => $this->stats->set($this->prefix . $key, $bytes, self::ttl($seconds), $flags));
    }

    public function putMany(array $values, $seconds)
    {
        // What has the same flags goes together.
        $groups = [];
        foreach ($values as $key => $value) {
            [$bytes, $flags] = PeclValues::encode($value);
            $groups[$flags][$this->prefix . $key] = $bytes;
        }
        $stored = true;
        foreach ($groups as $flags => $group) {
            $stored = $this->stats->setMulti($group, self::ttl($seconds), $flags) && $stored;
        }

        return $stored;
    }

    /** Stores it if there is no such key; Repository::add() uses this where it is there. */
    public function add($key, $value, $seconds)
    {
        [$bytes, $flags] = PeclValues::encode($value);

        return $this->answer(fn () => $this->stats->add($this->prefix . $key, $bytes, self::ttl($seconds), $flags));
    }

    /** The new value; a counter that isn't there begins at 0, as with Laravel's Redis store. */
    public function increment($key, $value = 1)
    {
        return $value < 0
            ? $this->decrement($key, -$value)
            : $this->answer(fn () => $this->stats->incrAndGet($this->prefix . $key, (int)$value));
    }

    /** The new value, never below 0; false for a counter that isn't there. */
    public function decrement($key, $value = 1)
    {
        return $value < 0
            ? $this->increment($key, -$value)
            : $this->answer(fn () => $this->stats->decrAndGet($this->prefix . $key, (int)$value) ?? false);
    }

    public function forever($key, $value)
    {
        return $this->put($key, $value, 0);
    }

    public function touch($key, $seconds)
    {
        return $this->answer(fn () => $this->stats->touch($this->prefix . $key, self::ttl($seconds)));
    }

    public function forget($key)
    {
        return $this->answer(fn () => $this->stats->delete($this->prefix . $key));
    }

    /** Always false: memcached can only forget everything, that of its other users and all counters, too. */
    public function flush()
    {
        return false;
    }

    public function lock($name, $seconds = 0, $owner = null)
    {
        return new Lock($this->stats, $this->prefix . $name, $seconds, $owner);
    }

    public function restoreLock($name, $owner)
    {
        return $this->lock($name, 0, $owner);
    }

    public function getPrefix()
    {
        return $this->prefix;
    }

    /** @internal */
    public static function ttl(mixed $seconds): int
    {
        return max(0, (int)$seconds);
    }
}
