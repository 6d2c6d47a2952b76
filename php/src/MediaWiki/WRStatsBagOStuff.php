<?php

namespace WRStats\MediaWiki;

use UnexpectedValueException;
use ValueError;
use WRStats;

// Required one by one where there is no autoloader.
require_once __DIR__ . '/PeclFormat.php';
require_once __DIR__ . '/Cache/ClientSettings.php';
require_once __DIR__ . '/Cache/ManyKeys.php';
require_once __DIR__ . '/Cache/Counters.php';
require_once __DIR__ . '/Cache/Serializing.php';
require_once __DIR__ . '/Cache/ErrorReports.php';

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
    use Cache\ManyKeys;
    use Cache\Counters;
    use Cache\Serializing;
    use Cache\ErrorReports;

    /** memcached's limit. */
    private const MAX_KEY_BYTES = 250;
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
        $params += ['compress_threshold' => 1500, 'serializer' => 'php'];
        $this->config = Cache\ClientSettings::of($params);
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
}
