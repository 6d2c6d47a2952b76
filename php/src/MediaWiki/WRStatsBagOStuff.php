<?php

namespace WRStats\MediaWiki;

use Throwable;
use UnexpectedValueException;
use ValueError;
use WRStats;

// Required one by one where there is no autoloader.
require_once __DIR__ . '/FastLz.php';
require_once __DIR__ . '/PeclFormat.php';

// MediaWiki has had it under this name since 1.43, before that under the global one.
if (!class_exists(__NAMESPACE__ . '\MemcachedBase', false)) {
    class_alias(
        class_exists('Wikimedia\ObjectCache\MemcachedBagOStuff') ? 'Wikimedia\ObjectCache\MemcachedBagOStuff' : 'MemcachedBagOStuff',
        __NAMESPACE__ . '\MemcachedBase',
    );
}

/**
 * MediaWiki's object cache on the wrstats extension. Keys, servers and values are those of MemcachedPeclBagOStuff, so
 * that both can work on the same memcached: during a change-over, and on the way back.
 *
 * What is written with WRITE_BACKGROUND is queued and goes out at the end of the request, or earlier with any call
 * that waits; nothing waits for it. A counter that incrWithInit() made reads as a numeric string.
 */
class WRStatsBagOStuff extends MemcachedBase
{
    /** memcached's limit. */
    private const MAX_KEY_BYTES = 250;
    /** Keys that MediaWiki and memcached accept, each with a line end behind it. */
    private const GOOD_LINES = '/\A(?:[!-~]{1,250}+\n)*+\z/';
    /** memcached counts seconds in 32 bits. */
    private const END_OF_TIME = 0x7fffffff;

    private WRStats $client;
    private PeclFormat $format;
    /** What new WRStats() was given. */
    private array $config;

    /**
     * @param array $params besides those of MemcachedBagOStuff, and with MemcachedPeclBagOStuff's meaning:
     *   - servers: list of "host:port", "[::1]:port" or "/path.sock"; [server, weight] too; default: wrstats.servers
     *   - persistent: whether connections outlive the request; default: true
     *   - timeout: longest wait for an answer, in microseconds; default: 500000
     *   - connect_timeout: longest wait for a connection, in seconds; default: 0.5
     *   - retry_timeout: a server that failed is left alone for so many seconds; default: wrstats.retry_interval
     *   - compress_threshold: strings and serialized values from so many bytes on are compressed; default: 1500
     *   - serializer: "php" (default) or "igbinary"
     *   Its other parameters are accepted and have no effect. And, not known to it:
     *   - wrstats: further settings for new WRStats(), such as ['protocol' => 'classic']
     */
    public function __construct($params)
    {
        parent::__construct($params);
        $params += [
            'persistent' => true,
            'timeout' => 500_000,
            'connect_timeout' => 0.5,
            'compress_threshold' => 1500,
            'serializer' => 'php',
            'wrstats' => [],
        ];
        $this->config = $params['wrstats'] + [
            'persistent' => (bool)$params['persistent'],
            'timeout' => $params['timeout'] / 1e6,
            'connect_timeout' => $params['connect_timeout'],
            'distribution' => 'ketama',
        ];
        if (isset($params['servers'])) {
            $this->config['servers'] = array_map([self::class, 'serverAddress'], array_values($params['servers']));
        }
        if (isset($params['retry_timeout'])) {
            $this->config['retry_interval'] = $params['retry_timeout'];
        }
        $this->client = new WRStats($this->config);
        $this->format = new PeclFormat(
            $params['serializer'],
            (int)$params['compress_threshold'],
            $this->segmentedValueMaxSize,
        );
    }

    /**
     * A handle on the same connections whose writers, readers and limiters use the keys that MediaWiki's own
     * WRStats makes of this cache.
     */
    public function newStatsClient(): WRStats
    {
        return new WRStats($this->config + [
            'keyspace' => $this->keyspace,
            'route' => $this->routingPrefix,
            'long_keys' => method_exists($this, 'makeFallbackKey') ? 'mediawiki-1.45' : 'mediawiki-1.39',
        ]);
    }

    /** What became of this process's writes: see WRStats::metrics(). */
    public function getMetrics(): array
    {
        return $this->client->metrics();
    }

    // ---- reading ----

    protected function doGet($key, $flags = 0, &$casToken = null)
    {
        $getToken = ($casToken === self::PASS_BY_REF);
        $casToken = null;
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            $item = $this->client->get($routeKey, $getToken ? WRStats::GET_EXTENDED : WRStats::GET_FLAGS);
            if ($item === null) {
                return false;
            }
            $value = $item['flags'] === PeclFormat::STRING ? $item['value'] : $this->format->decode($item['value'], $item['flags']);
        } catch (WRStats\Exception | ValueError | UnexpectedValueException $error) {
            return $this->failed($error, $routeKey);
        }
        if ($getToken) {
            $casToken = $item['cas'];
        }

        return $value;
    }

    protected function doGetMulti(array $keys, $flags = 0)
    {
        $items = $this->client->getMulti($this->usable($keys), WRStats::GET_FLAGS);
        $this->noteLastError();
        $found = [];
        foreach ($items as $routeKey => $item) {
            $key = $this->routingPrefix === '' ? $routeKey : $this->stripRouteFromKey($routeKey);
            if ($item['flags'] === PeclFormat::STRING) {
                $found[$key] = $item['value'];
                continue;
            }
            try {
                $found[$key] = $this->format->decode($item['value'], $item['flags']);
            } catch (UnexpectedValueException $error) {
                $this->failed($error, (string)$routeKey);
            }
        }

        return $found;
    }

    // ---- writing ----

    protected function doSet($key, $value, $exptime = 0, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        if ($ttl === null) {
            return $this->doDelete($key, $flags);
        }
        $routeKey = $this->validateKeyAndPrependRoute($key);
        $bytes = $this->format->encode($value, $type);
        $background = $this->isBackground($flags);
        try {
            $stored = $this->client->set($routeKey, $bytes, $ttl, $type, $background);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }

        // A server always stores; "not stored" is what a proxy answers that doesn't wait for it.
        return $background ? $this->accepted($stored) : true;
    }

    protected function doSetMulti(array $data, $exptime = 0, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        if ($ttl === null) {
            return $this->doDeleteMulti(array_keys($data), $flags);
        }
        $routeKeys = $this->usable(array_keys($data), $ok);
        // Flags are given for one call, so a call for each kind of value, or one call with flags for each value.
        $byFlags = $strings = [];
        $threshold = $this->format->threshold;
        $place = 0;
        foreach ($data as $value) {
            $routeKey = $routeKeys[$place++] ?? null;
            if ($routeKey === null) {
                continue;
            }
            if (is_string($value) && strlen($value) < $threshold) {
                $strings[$routeKey] = $value;
            } else {
                $bytes = $this->format->encode($value, $flagsOfValue);
                $byFlags[$flagsOfValue][$routeKey] = $bytes;
            }
        }
        if ($strings) {
            // Long strings that didn't compress may be there already.
            $byFlags[PeclFormat::STRING] = $strings + ($byFlags[PeclFormat::STRING] ?? []);
        }
        $background = $this->isBackground($flags);
        if ($background || count($byFlags) === 1) {
            foreach ($byFlags as $flagsOfValues => $values) {
                $ok = $this->client->setMulti($values, $ttl, $flagsOfValues, $background) && $ok;
                $ok = $this->noteLastError() && $ok;
            }

            return $ok;
        }
        $items = [];
        foreach ($byFlags as $flagsOfValues => $values) {
            foreach ($values as $routeKey => $bytes) {
                $items[$routeKey] = ['value' => $bytes, 'flags' => $flagsOfValues];
            }
        }
        $stored = $this->client->setItems($items, $ttl);

        return $this->noteLastError() && $ok && $stored;
    }

    protected function doAdd($key, $value, $exptime = 0, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        $background = $this->isBackground($flags);
        try {
            if ($ttl === null) {
                // Nothing would be left of it: all that counts is whether the key was free.
                return $this->client->get($routeKey) === null;
            }
            $bytes = $this->format->encode($value, $type);
            $added = $this->client->add($routeKey, $bytes, $ttl, $type, $background);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }

        return $background ? $this->accepted($added) : $added;
    }

    protected function doCas($casToken, $key, $value, $exptime = 0, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        $bytes = $this->format->encode($value, $type);
        try {
            $changed = $this->client->cas($casToken, $routeKey, $bytes, $ttl ?? 1, $type) === true;
            if ($changed && $ttl === null) {
                $this->client->delete($routeKey);
            }
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }

        return $changed;
    }

    protected function doDelete($key, $flags = 0)
    {
        $routeKey = $this->validateKeyAndPrependRoute($key);
        $background = $this->isBackground($flags);
        try {
            $deleted = $this->client->delete($routeKey, $background);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }

        return $background ? $this->accepted($deleted) : true;
    }

    protected function doDeleteMulti(array $keys, $flags = 0)
    {
        $routeKeys = $this->usable($keys, $ok);
        $gone = $this->client->deleteMulti($routeKeys, $this->isBackground($flags));

        return $this->noteLastError() && $ok && $gone;
    }

    protected function doChangeTTL($key, $exptime, $flags)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        $background = $this->isBackground($flags);
        try {
            $changed = $ttl === null
                ? $this->client->delete($routeKey, $background)
                : $this->client->touch($routeKey, $ttl, $background);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }

        return $background ? $this->accepted($changed) : $changed;
    }

    protected function doChangeTTLMulti(array $keys, $exptime, $flags = 0)
    {
        $ttl = $this->duration($exptime);
        $routeKeys = $this->usable($keys, $ok);
        $background = $this->isBackground($flags);
        if ($ttl !== null) {
            $changed = $this->client->touchMulti($routeKeys, $ttl, $background);
        } else {
            $changed = $background || count($this->client->getMulti($routeKeys)) === count(array_unique($routeKeys));
            $changed = $this->client->deleteMulti($routeKeys, $background) && $changed;
        }

        return $this->noteLastError() && $ok && $changed;
    }

    // ---- counting ----

    protected function doIncrWithInitAsync($key, $exptime, $step, $init)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        if ($ttl === null) {
            return $this->doIncrWithInitSync($key, $exptime, $step, $init) !== false;
        }
        try {
            return $this->accepted($this->client->incr($routeKey, $step, $ttl, $init));
        } catch (ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    protected function doIncrWithInitSync($key, $exptime, $step, $init)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            if ($ttl === null && $this->client->get($routeKey) === null) {
                // Made and expired at once.
                return $init;
            }

            return $this->client->incrAndGet($routeKey, $step, $ttl ?? 1, $init);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    /** The counter's new value; false: there is none. MediaWiki's up to 1.42. */
    public function incr($key, $value = 1, $flags = 0)
    {
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            $current = $this->client->get($routeKey);
            if ($current === null || $value === 0) {
                return $current === null ? false : (int)$current;
            }
            $new = $this->client->incrAndGet($routeKey, $value, 1, 0);
            if ($new === 0) {
                // It went away between the two commands, and this made another, which nobody asked for.
                $this->client->delete($routeKey);

                return false;
            }

            return $new;
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    /** The counter's new value, not below 0; false: there is none; in the background: true. MediaWiki's up to 1.42. */
    public function decr($key, $value = 1, $flags = 0)
    {
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            return $this->isBackground($flags)
                ? $this->accepted($this->client->decr($routeKey, $value))
                : $this->client->decrAndGet($routeKey, $value) ?? false;
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    // ---- the base class's own serializing, for values in segments ----

    protected function serialize($value)
    {
        if (is_int($value)) {
            return $value;
        }

        return $this->format->serialize($value);
    }

    protected function unserialize($value)
    {
        if ($this->isInteger($value)) {
            return (int)$value;
        }
        try {
            return $this->format->unserialize($value);
        } catch (UnexpectedValueException $error) {
            return $this->failed($error);
        }
    }

    /** Sizes only: what is serialized ahead of time would not be used. MediaWiki's up to 1.42. */
    public function setNewPreparedValues(array $valueByKey)
    {
        return $this->guessSerialSizeOfValues($valueByKey);
    }

    // ---- helpers ----

    private static function serverAddress(string|array $server): string
    {
        [$address, $weight] = (array)$server + [1 => null];
        // As PECL takes sockets: with a port that means nothing.
        if (str_starts_with($address, '/') && str_ends_with($address, ':0')) {
            $address = substr($address, 0, -2);
        }

        return $weight === null ? $address : "$address:$weight";
    }

    /** Whatever the caller doesn't wait for. */
    private function isBackground($flags): bool
    {
        return ($flags & self::WRITE_BACKGROUND) === self::WRITE_BACKGROUND;
    }

    /** Seconds from now, 0 for ever; null: the time is over. */
    private function duration($exptime): ?int
    {
        // Up to 30 days it is a duration, cut to that; beyond it is a time.
        $expiry = $this->fixExpiry($exptime);
        if ($exptime >= 0 && $expiry <= self::TTL_MONTH) {
            return $expiry === 0 && $exptime > 0 && $exptime < 1 ? 1 : $expiry;
        }
        $seconds = (int)ceil($expiry - $this->getCurrentTime());

        return $seconds > 0 ? min($seconds, self::END_OF_TIME - time() - 1) : null;
    }

    /**
     * The route keys of those keys that a server would take, in the same places. One bad key is no reason to leave the
     * others.
     *
     * @param bool|null &$ok whether that is all of them
     * @return array<string|int> an int where PHP made one of a key
     */
    private function usable(array $keys, ?bool &$ok = null): array
    {
        $ok = true;
        if ($this->routingPrefix === '') {
            // One look at all of them costs a quarter of one at each.
            $lines = implode("\n", $keys) . "\n";
            if (preg_match(self::GOOD_LINES, $lines) && substr_count($lines, "\n") === count($keys)) {
                return $keys;
            }
        }
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

    /** Reports that a background write was refused because too much is waiting for its server. */
    private function accepted(bool $accepted): bool
    {
        if (!$accepted) {
            $this->noteLastError();
        }

        return $accepted;
    }

    /** Whether the last call on the client met no error; one that it met is reported. */
    private function noteLastError(): bool
    {
        $code = $this->client->lastErrorCode();
        if ($code === WRStats::ERROR_NONE) {
            return true;
        }
        $this->logger->error('Memcached error: {error}', ['error' => $this->client->lastError()]);
        $this->setLastError($code);

        return false;
    }

    /** Reports an error and answers false. */
    private function failed(Throwable $error, ?string $key = null): bool
    {
        $context = ['error' => $error->getMessage()];
        $message = 'Memcached error: {error}';
        if ($key !== null) {
            $message = 'Memcached error for key "{memcached-key}": {error}';
            $context['memcached-key'] = $key;
        }
        if ($error instanceof WRStats\Exception) {
            $message = 'Memcached error for key "{memcached-key}" on server "{memcached-server}": {error}';
            $context['memcached-server'] = $error->getServer();
        }
        $this->logger->error($message, $context);
        // WRStats numbers its errors as BagOStuff does.
        $this->setLastError($error instanceof WRStats\Exception ? $error->getCode() : self::ERR_UNEXPECTED);

        return false;
    }
}
