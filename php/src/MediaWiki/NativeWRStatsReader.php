<?php

namespace WRStats\MediaWiki;

use ValueError;
use Wikimedia\WRStats\EntityKey;
use Wikimedia\WRStats\StatsStore;
use Wikimedia\WRStats\TimeRange;
use Wikimedia\WRStats\WRStatsReader;
use WRStats\Exception;
use WRStats\Reader;

/**
 * MediaWiki's reader, on the extension's. When a server doesn't answer, MediaWiki's own code reads what the others have.
 */
class NativeWRStatsReader extends WRStatsReader
{
    /** @var int|float|null null: the clock's, when it is first needed */
    private $now = null;
    /** Whether the base class is in use, and so has to be kept up to date. */
    private bool $isBaseReady = false;
    private bool $hasFailed = false;

    public function __construct(
        private readonly Reader $reader,
        $now,
        private readonly StatsStore $store,
        private readonly array $specs,
        private readonly array|string $prefix,
    ) {
        if ($now !== null) {
            $this->setCurrentTime($now);
        }
    }

    public function latest($numSeconds)
    {
        $now = $this->now();

        return new TimeRange($now - $numSeconds, $now);
    }

    public function getRate($metricName, ?EntityKey $entity, TimeRange $range)
    {
        $this->now();
        if ($this->hasFailed) {
            return $this->baseRate($metricName, $entity, $range);
        }
        try {
            $rate = $this->reader->getRate($metricName, $entity, $this->reader->timeRange($range->start, $range->end));
        } catch (ValueError) {
            // MediaWiki's own refuses it in its own words, or can do it.
            return $this->baseRate($metricName, $entity, $range);
        }

        return new NativeRatePromise($this, $rate, $metricName, $entity, $range);
    }

    public function fetch()
    {
        if (!$this->hasFailed) {
            try {
                $this->reader->fetch();
            } catch (Exception) {
                // The store, asked for the same, logs it.
                $this->hasFailed = true;
            }
        }
        if ($this->isBaseReady) {
            parent::fetch();
        }
    }

    /** @internal a rate's total as MediaWiki's own code reads it: with zero for what is out of reach */
    public function baseTotal($metricName, ?EntityKey $entity, TimeRange $range): int|float
    {
        $this->hasFailed = true;

        return $this->baseRate($metricName, $entity, $range)->total();
    }

    public function setCurrentTime($now)
    {
        $this->now = $now;
        $this->reader->setCurrentTime($now);
        if ($this->isBaseReady) {
            parent::setCurrentTime($now);
        }
    }

    public function resetCurrentTime()
    {
        $this->now = null;
        $this->reader->resetCurrentTime();
    }

    private function baseRate($metricName, ?EntityKey $entity, TimeRange $range)
    {
        if (!$this->isBaseReady) {
            parent::__construct($this->store, $this->specs, $this->prefix);
            $this->isBaseReady = true;
        }
        parent::setCurrentTime($this->now());

        return parent::getRate($metricName, $entity, $range);
    }

    private function now(): int|float
    {
        if ($this->now === null) {
            $this->setCurrentTime(microtime(true));
        }

        return $this->now;
    }
}
