<?php

namespace WRStats\MediaWiki;

use Psr\Log\LoggerInterface;
use ValueError;
use Wikimedia\WRStats\StatsStore;
use Wikimedia\WRStats\WRStatsFactory;
use WRStats;

/**
 * MediaWiki's WRStats with writers, readers and rate limiters of the extension: same calls, same keys, same answers.
 * None of them throws for the network: what can't be read counts as zero and is logged, as on MediaWiki's own.
 */
class NativeWRStatsFactory extends WRStatsFactory
{
    /** @var int|float|null the time for what is made from now on; null: the clock's */
    private $now = null;

    /**
     * @param WRStats $client its keyspace and long_keys decide the keys: see onCache()
     * @param StatsStore $store with the same counters, for MediaWiki's own classes: what the extension refuses they
     *   get to do, or to refuse in their own words, and with it they read what is left when a server is down
     */
    public function __construct(
        private readonly WRStats $client,
        private readonly StatsStore $store,
        private readonly ?LoggerInterface $logger = null,
    ) {
        parent::__construct($store);
    }

    /** On memcached, with the keys that MediaWiki's own WRStats would use on this cache. */
    public static function onCache(WRStatsBagOStuff $cache, ?LoggerInterface $logger = null): self
    {
        $client = $cache->newStatsClient();

        return new self($client, new WRStatsStore($client, $cache, $logger), $logger);
    }

    /** On any other store, such as MediaWiki's BagOStuffStatsStore on its database. */
    public static function onStore(StatsStore $store, ?LoggerInterface $logger = null): self
    {
        return new self(WRStats::onStore($store), $store, $logger);
    }

    public function createWriter($specs, $prefix = 'WRStats')
    {
        try {
            $writer = $this->client->createWriter($specs, $prefix);
        } catch (ValueError) {
            return parent::createWriter($specs, $prefix);
        }

        return new NativeWRStatsWriter($writer, $this->now !== null, $this->logger);
    }

    public function createReader($specs, $prefix = 'WRStats')
    {
        try {
            $reader = $this->client->createReader($specs, $prefix);
        } catch (ValueError) {
            return parent::createReader($specs, $prefix);
        }

        return new NativeWRStatsReader($reader, $this->now, $this->store, $specs, $prefix);
    }

    public function createRateLimiter($conditions, $prefix = 'WRStats', $options = [])
    {
        try {
            $limiter = $this->client->createRateLimiter($conditions, $prefix, $options);
        } catch (ValueError) {
            return parent::createRateLimiter($conditions, $prefix, $options);
        }

        return new NativeWRStatsRateLimiter($limiter, $this->now, $this->store, $conditions, $prefix, $options);
    }

    public function setCurrentTime($now)
    {
        $this->now = $now;
        $this->client->setCurrentTime($now);
        parent::setCurrentTime($now);
    }
}
