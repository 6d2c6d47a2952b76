<?php

namespace WRStats\Tests;

/** MediaWiki's StatsStore on an array, without its types: as small as a store can be. */
final class ArrayStore
{
    /** @var array<string, array{int, int}> key => value and lifetime */
    public array $data = [];

    public function makeKey($prefix, $internals, $entity)
    {
        $components = array_map(
            fn($component) => strtr((string)$component, ['%' => '%25', ':' => '%3A']),
            [...$prefix, ...$internals, ...array_values($entity->getComponents())],
        );

        return implode(':', [$entity->isGlobal() ? 'global' : 'local', ...$components]);
    }

    public function incr(array $values, $ttl)
    {
        foreach ($values as $key => $value) {
            $this->data[$key] ??= [0, $ttl];
            $this->data[$key][0] += $value;
        }
    }

    public function delete(array $keys)
    {
        $this->data = array_diff_key($this->data, array_flip($keys));
    }

    public function query(array $keys)
    {
        return array_map(fn($item) => $item[0], array_intersect_key($this->data, array_flip($keys)));
    }
}
