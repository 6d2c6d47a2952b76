<?php

namespace WRStats\MediaWiki;

use Wikimedia\WRStats\EntityKey;
use Wikimedia\WRStats\RatePromise;
use Wikimedia\WRStats\TimeRange;
use WRStats\Exception;
use WRStats\Rate;

/** A rate that NativeWRStatsReader reads when it is first asked for. */
class NativeRatePromise extends RatePromise
{
    /** @var int|float|null */
    private $total = null;

    public function __construct(
        private readonly NativeWRStatsReader $reader,
        private readonly Rate $rate,
        private readonly string $metricName,
        private readonly ?EntityKey $entity,
        private readonly TimeRange $range,
    ) {
    }

    public function total()
    {
        if ($this->total === null) {
            try {
                $this->total = $this->rate->total();
            } catch (Exception) {
                $this->total = $this->reader->baseTotal($this->metricName, $this->entity, $this->range);
            }
        }

        return $this->total;
    }

    public function perSecond()
    {
        return $this->total() / $this->range->getDuration();
    }
}
