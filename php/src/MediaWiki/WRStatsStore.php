<?php

namespace WRStats\MediaWiki;

use Psr\Log\LoggerInterface;
use ValueError;
use Wikimedia\WRStats\StatsStore;
use WRStats;

/**
 * Lets MediaWiki's own WRStats classes count on the wrstats extension: a whole flush, read or reset is one call.
 */
class WRStatsStore implements StatsStore
{
    /**
     * @param WRStats $client as WRStatsBagOStuff::newStatsClient() makes it
     * @param object $keys makes the keys: the BagOStuff that the client belongs to
     */
    public function __construct(
        private readonly WRStats $client,
        private readonly object $keys,
        private readonly ?LoggerInterface $logger = null,
    ) {
    }

    public function makeKey($prefix, $internals, $entity)
    {
        // Named components would be named arguments, and be gone.
        $components = [...array_values($prefix), ...array_values($internals), ...array_values($entity->getComponents())];

        return $entity->isGlobal() ? $this->keys->makeGlobalKey(...$components) : $this->keys->makeKey(...$components);
    }

    public function incr(array $values, $ttl)
    {
        try {
            $accepted = $this->client->incrMulti($values, $ttl);
        } catch (ValueError $error) {
            // One that can't be counted is no reason to lose the others.
            $this->log($error->getMessage());
            $countable = array_filter($values, fn ($value, $key) => $value >= 0 && strlen($key) <= 250, ARRAY_FILTER_USE_BOTH);
            $accepted = $this->client->incrMulti($countable, $ttl);
        }
        if (!$accepted) {
            $this->log($this->client->lastError());
        }
    }

    public function delete(array $keys)
    {
        $this->client->deleteMulti($keys, true);
    }

    public function query(array $keys)
    {
        $counters = $this->client->getCounters($keys);
        if ($this->client->lastErrorCode() !== WRStats::ERROR_NONE) {
            $this->log($this->client->lastError());
        }

        return $counters;
    }

    private function log(?string $error): void
    {
        $this->logger?->error('WRStats: {error}', ['error' => $error]);
    }
}
