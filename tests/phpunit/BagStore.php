<?php

namespace WRStats\Tests;

/** MediaWiki's BagOStuffStatsStore, on the stub of a BagOStuff. */
final class BagStore
{
    public function __construct(private readonly StubBagOStuff $bag)
    {
    }

    public function makeKey($prefix, $internals, $entity)
    {
        $make = $entity->isGlobal() ? $this->bag->makeGlobalKey(...) : $this->bag->makeKey(...);

        return $make(...$prefix, ...$internals, ...array_values($entity->getComponents()));
    }

    public function incr(array $values, $ttl)
    {
        foreach ($values as $key => $value) {
            $this->bag->incrWithInit($key, $ttl, $value, $value, StubBagOStuff::WRITE_BACKGROUND);
        }
    }

    public function delete(array $keys)
    {
        $this->bag->deleteMulti($keys, StubBagOStuff::WRITE_BACKGROUND);
    }

    public function query(array $keys)
    {
        return $this->bag->getMulti($keys);
    }
}
