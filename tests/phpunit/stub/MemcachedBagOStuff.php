<?php

/**
 * Stands in for MediaWiki's class of this name: what the adapter inherits, written anew from its documentation and as
 * small as the contract's tests allow, so that the adapter is tested where no MediaWiki is.
 */
abstract class MemcachedBagOStuff
{
    public const READ_LATEST = 1;
    public const WRITE_ALLOW_SEGMENTS = 16;
    public const WRITE_PRUNE_SEGMENTS = 32;
    public const WRITE_BACKGROUND = 64;
    public const TTL_DAY = 86400;
    public const TTL_MONTH = 30 * self::TTL_DAY;
    public const TTL_YEAR = 365 * self::TTL_DAY;
    public const ERR_NONE = 0;
    public const ERR_NO_RESPONSE = 1;
    public const ERR_UNREACHABLE = 2;
    public const ERR_UNEXPECTED = 3;
    protected const PASS_BY_REF = -1;

    protected string $keyspace;
    protected string $routingPrefix;
    protected object $logger;
    protected int $segmentationSize;
    protected int $segmentedValueMaxSize;
    private int $lastError = self::ERR_NONE;
    private int $lastErrorAt = 0;
    private static int $clock = 1;
    /** @var array<string, array{class: string, depth: int}> */
    private array $locks = [];

    public function __construct(array $params)
    {
        $this->keyspace = $params['keyspace'] ?? 'local';
        $this->routingPrefix = $params['routingPrefix'] ?? '';
        $this->segmentationSize = $params['segmentationSize'] ?? 917_504;
        $this->segmentedValueMaxSize = $params['segmentedValueMaxSize'] ?? 67_108_864;
        $this->logger = $params['logger'] ?? new class {
            public function __call(string $level, array $arguments): void
            {
            }
        };
    }

    abstract protected function doGet($key, $flags = 0, &$casToken = null);
    abstract protected function doSet($key, $value, $exptime = 0, $flags = 0);
    abstract protected function doAdd($key, $value, $exptime = 0, $flags = 0);
    abstract protected function doCas($casToken, $key, $value, $exptime = 0, $flags = 0);
    abstract protected function doDelete($key, $flags = 0);
    abstract protected function doGetMulti(array $keys, $flags = 0);
    abstract protected function doSetMulti(array $data, $exptime = 0, $flags = 0);
    abstract protected function doDeleteMulti(array $keys, $flags = 0);
    abstract protected function doChangeTTL($key, $exptime, $flags);
    abstract protected function doChangeTTLMulti(array $keys, $exptime, $flags = 0);
    abstract protected function doIncrWithInitAsync($key, $exptime, $step, $init);
    abstract protected function doIncrWithInitSync($key, $exptime, $step, $init);
    abstract protected function serialize($value);
    abstract protected function unserialize($value);

    // ---- keys ----

    public function makeKey($group, ...$components)
    {
        return $this->join($this->keyspace, [$group, ...$components]);
    }

    public function makeGlobalKey($group, ...$components)
    {
        return $this->join('global', [$group, ...$components]);
    }

    private function join(string $keyspace, array $components): string
    {
        $encoded = array_map(fn ($component) => strtr(rawurlencode(strtr((string)$component, ' ', '_')), ['%2F' => '/']), $components);

        return $keyspace . ':' . implode(':', $encoded);
    }

    protected function validateKeyAndPrependRoute($key)
    {
        $key = (string)$key;
        if (preg_match('/[^!-~]/', $key)) {
            throw new InvalidArgumentException("a key with invalid characters: $key");
        }
        if ($this->routingPrefix !== '' && str_starts_with($key, '/')) {
            throw new RuntimeException("a key with a route of its own: $key");
        }

        return $this->routingPrefix . $key;
    }

    protected function stripRouteFromKey($key)
    {
        return str_starts_with($key, $this->routingPrefix) ? substr($key, strlen($this->routingPrefix)) : $key;
    }

    // ---- time ----

    protected function getCurrentTime()
    {
        return microtime(true);
    }

    protected function fixExpiry($exptime)
    {
        return (int)match (true) {
            $exptime < 0 => $this->getCurrentTime() + $exptime,
            $exptime < 10 * self::TTL_YEAR => min($exptime, self::TTL_MONTH),
            default => $exptime,
        };
    }

    // ---- errors ----

    public function watchErrors()
    {
        return self::$clock++;
    }

    public function getLastError($watchPoint = 0)
    {
        return $this->lastErrorAt > $watchPoint ? $this->lastError : self::ERR_NONE;
    }

    protected function setLastError($error)
    {
        $this->lastError = $error;
        $this->lastErrorAt = self::$clock++;
    }

    // ---- what users call ----

    public function get($key, $flags = 0)
    {
        return $this->joined($key, $this->doGet($key, $flags));
    }

    public function getMulti(array $keys, $flags = 0)
    {
        $found = $this->doGetMulti($keys, $flags);
        $values = [];
        foreach ($keys as $key) {
            $value = isset($found[$key]) || array_key_exists($key, $found) ? $this->joined($key, $found[$key]) : false;
            if ($value !== false) {
                $values[$key] = $value;
            }
        }

        return $values;
    }

    public function set($key, $value, $exptime = 0, $flags = 0)
    {
        return $this->store($key, $value, $exptime, $flags, fn ($entry) => $this->doSet($key, $entry, $exptime, $flags));
    }

    public function add($key, $value, $exptime = 0, $flags = 0)
    {
        return $this->store($key, $value, $exptime, $flags, fn ($entry) => $this->doAdd($key, $entry, $exptime, $flags));
    }

    public function setMulti(array $valueByKey, $exptime = 0, $flags = 0)
    {
        return $this->doSetMulti($valueByKey, $exptime, $flags);
    }

    public function delete($key, $flags = 0)
    {
        $entry = $flags & self::WRITE_PRUNE_SEGMENTS ? $this->doGet($key) : null;

        return $this->doDelete($key, $flags) && (!$entry instanceof stdClass || !isset($entry->stubSegments)
            || $this->doDeleteMulti($entry->stubSegments, $flags));
    }

    public function deleteMulti(array $keys, $flags = 0)
    {
        return $this->doDeleteMulti($keys, $flags);
    }

    public function changeTTL($key, $exptime = 0, $flags = 0)
    {
        return $this->doChangeTTL($key, $exptime, $flags);
    }

    public function changeTTLMulti(array $keys, $exptime, $flags = 0)
    {
        return $this->doChangeTTLMulti($keys, $exptime, $flags);
    }

    public function incrWithInit($key, $exptime, $step = 1, $init = null, $flags = 0)
    {
        return $flags & self::WRITE_BACKGROUND
            ? $this->doIncrWithInitAsync($key, $exptime, $step, $init ?? $step)
            : $this->doIncrWithInitSync($key, $exptime, $step, $init ?? $step);
    }

    public function getWithSetCallback($key, $exptime, $callback, $flags = 0)
    {
        $value = $this->get($key, $flags);
        if ($value === false) {
            $value = $callback($exptime);
            $this->set($key, $value, $exptime, $flags);
        }

        return $value;
    }

    public function merge($key, callable $callback, $exptime = 0, $attempts = 10, $flags = 0)
    {
        while ($attempts-- > 0) {
            $watchPoint = $this->watchErrors();
            $token = self::PASS_BY_REF;
            $current = $this->joined($key, $this->doGet($key, $flags, $token));
            if ($this->getLastError($watchPoint)) {
                return false;
            }
            $value = $callback($this, $key, $current, $exptime);
            if ($value === false) {
                return true;
            }
            $write = $current === false
                ? fn ($entry) => $this->doAdd($key, $entry, $exptime, $flags)
                : fn ($entry) => $this->doCas($token, $key, $entry, $exptime, $flags);
            if ($this->store($key, $value, $exptime, $flags, $write)) {
                return true;
            }
        }

        return false;
    }

    // ---- locks ----

    public function lock($key, $timeout = 6, $exptime = 6, $class = '')
    {
        if (isset($this->locks[$key])) {
            $again = $class !== '' && $this->locks[$key]['class'] === $class;
            $this->locks[$key]['depth'] += $again ? 1 : 0;

            return $again;
        }
        for ($until = microtime(true) + $timeout; !$this->doAdd("$key:lock", 1, $exptime); usleep(10_000)) {
            if (microtime(true) >= $until) {
                return false;
            }
        }
        $this->locks[$key] = ['class' => $class, 'depth' => 1];

        return true;
    }

    public function unlock($key)
    {
        if (--$this->locks[$key]['depth'] > 0) {
            return true;
        }
        unset($this->locks[$key]);

        return $this->doDelete("$key:lock");
    }

    public function getScopedLock($key, $timeout = 6, $exptime = 30, $class = '')
    {
        return !$this->lock($key, $timeout, $exptime, $class) ? null : new class (fn () => $this->unlock($key)) {
            public function __construct(private readonly Closure $end)
            {
            }

            public function __destruct()
            {
                ($this->end)();
            }
        };
    }

    // ---- values in segments ----

    protected function isInteger($value)
    {
        return is_int($value) || is_string($value) && $value === (string)(int)$value;
    }

    private function store($key, $value, $exptime, $flags, Closure $write): bool
    {
        if (!($flags & self::WRITE_ALLOW_SEGMENTS) || is_int($value)) {
            return $write($value);
        }
        $serialized = $this->serialize($value);
        if (strlen($serialized) < $this->segmentationSize) {
            return $write($value);
        }
        $segments = [];
        foreach (str_split($serialized, $this->segmentationSize) as $segment) {
            $segments[$this->makeGlobalKey('segment', $key, sha1($segment))] = $segment;
        }

        return $this->doSetMulti($segments, $exptime, $flags) && $write((object)['stubSegments' => array_keys($segments)]);
    }

    private function joined($key, $entry)
    {
        if (!$entry instanceof stdClass || !isset($entry->stubSegments)) {
            return $entry;
        }
        $segments = $this->doGetMulti($entry->stubSegments);

        return count($segments) === count($entry->stubSegments)
            ? $this->unserialize(implode('', array_map(fn ($key) => $segments[$key], $entry->stubSegments)))
            : false;
    }
}
