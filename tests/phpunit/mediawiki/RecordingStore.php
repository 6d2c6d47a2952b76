<?php

namespace WRStats\Tests;

use Wikimedia\WRStats\StatsStore;

/** Another store, and the keys that were asked of it. */
final class RecordingStore implements StatsStore
{
    /** @var array<string, true> */
    public array $keys = [];

    public function __construct(private readonly StatsStore $store)
    {
    }

    public function makeKey($prefix, $internals, $entity)
    {
        $key = $this->store->makeKey($prefix, $internals, $entity);
        $this->keys[$key] = true;

        return $key;
    }

    public function incr(array $values, $ttl)
    {
        $this->store->incr($values, $ttl);
    }

    public function delete(array $keys)
    {
        $this->store->delete($keys);
    }

    public function query(array $keys)
    {
        return $this->store->query($keys);
    }
}
