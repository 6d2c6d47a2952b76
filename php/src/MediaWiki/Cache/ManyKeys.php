<?php

namespace WRStats\MediaWiki\Cache;

use UnexpectedValueException;
use ValueError;
use WRStats;
use WRStats\MediaWiki\PeclFormat;

// Compiled to single instructions where they are known to be PHP's.
use function count;
use function strlen;

/** Calls of WRStatsBagOStuff on many keys: one exchange with all servers, or none in the background. */
trait ManyKeys
{
    protected function doGetMulti(array $keys, $flags = 0)
    {
        $items = $this->withRouteKeys($keys, fn (array $routeKeys) => $this->client->getMulti($routeKeys, WRStats::GET_FLAGS));
        $this->noteLastError();
        $found = [];
        foreach ($items as $routeKey => ['value' => $value, 'flags' => $type]) {
            if ($type === PeclFormat::INT) {
                $value = (int)$value;
            } elseif ($type !== PeclFormat::STRING) {
                try {
                    $value = $this->format->decode($value, $type);
                } catch (UnexpectedValueException $error) {
                    $this->failed($error, (string)$routeKey);
                    continue;
                }
            }
            $found[$this->routingPrefix === '' ? $routeKey : $this->stripRouteFromKey($routeKey)] = $value;
        }

        return $found;
    }

    protected function doSetMulti(array $data, $exptime = 0, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        if ($ttl === null) {
            return $this->doDeleteMulti(array_keys($data), $flags);
        }
        $background = $this->isBackground($flags);
        $stored = $this->withRouteKeys(
            array_keys($data),
            fn (array $routeKeys) => $this->store($data, $routeKeys, $ttl, $background),
            $ok,
        );

        return $this->noteLastError() && $ok && $stored;
    }

    protected function doDeleteMulti(array $keys, $flags = 0)
    {
        $background = $this->isBackground($flags);
        $gone = $this->withRouteKeys($keys, fn (array $routeKeys) => $this->client->deleteMulti($routeKeys, $background), $ok);

        return $this->noteLastError() && $ok && $gone;
    }

    protected function doChangeTTLMulti(array $keys, $exptime, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        $background = $this->isBackground($flags);
        $changed = $this->withRouteKeys($keys, function (array $routeKeys) use ($ttl, $background) {
            if ($ttl !== null) {
                return $this->client->touchMulti($routeKeys, $ttl, $background);
            }
            $all = $background || count($this->client->getMulti($routeKeys)) === count(array_unique($routeKeys));

            return $this->client->deleteMulti($routeKeys, $background) && $all;
        }, $ok);

        return $this->noteLastError() && $ok && $changed;
    }

    /** @param array $routeKeys those of the data's keys, in the same places; values whose place has none are left out */
    private function store(array $data, array $routeKeys, int $ttl, bool $background): bool
    {
        if ($this->routingPrefix !== '' || count($routeKeys) !== count($data)) {
            $values = array_values($data);
            $data = [];
            foreach ($routeKeys as $place => $routeKey) {
                $data[$routeKey] = $values[$place];
            }
        }
        $items = $this->format->encodeAll($data, $flags, $others);
        if ($others === []) {
            return $this->client->setMulti($items, $ttl, $flags ?? PeclFormat::STRING, $background);
        }
        foreach ($items as $routeKey => $bytes) {
            $items[$routeKey] = ['value' => $bytes, 'flags' => $others[$routeKey] ?? $flags];
        }

        return $this->client->setItems($items, $ttl, $background);
    }

    /**
     * Whether these keys can be given to the client as they are, as far as it wouldn't find out: it allows bytes above 0x7f,
     * MediaWiki doesn't. For all else that may be wrong with one it throws, before it does anything.
     */
    private function areRouteKeys(array $keys): bool
    {
        return $this->routingPrefix === '' && preg_match('/\A[!-~]*+\z/', implode('', $keys)) === 1;
    }

    /**
     * What the call answers for the route keys of those keys that a server would take. One bad key is no reason to leave
     * the others.
     *
     * @param callable(array): mixed $call
     * @param bool|null &$ok whether that is all of them
     */
    private function withRouteKeys(array $keys, callable $call, ?bool &$ok = null): mixed
    {
        if ($this->areRouteKeys($keys)) {
            try {
                $ok = true;

                return $call($keys);
            } catch (ValueError) {
                // One of them is bad.
            }
        }

        return $call($this->usable($keys, $ok));
    }

    /**
     * The route keys of those keys that a server would take, in the same places.
     *
     * @return array<string|int> an int where PHP made one of a key
     */
    private function usable(array $keys, ?bool &$ok): array
    {
        $ok = true;
        $routeKeys = [];
        foreach ($keys as $place => $key) {
            $routeKey = $this->validateKeyAndPrependRoute($key);
            if ($routeKey === '' || strlen($routeKey) > self::MAX_KEY_BYTES) {
                $ok = $this->failed(new ValueError('key must be 1 to 250 bytes'), $routeKey);
                continue;
            }
            $routeKeys[$place] = $routeKey;
        }

        return $routeKeys;
    }
}
