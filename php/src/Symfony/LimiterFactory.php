<?php

namespace WRStats\Symfony;

use Symfony\Component\RateLimiter\LimiterInterface;
use WRStats\EntityKey;
use WRStats\RateLimiter;

/** Makes the limiters of one limit, as Symfony's RateLimiterFactory does: create($key) for each user, address, … */
final class LimiterFactory
{
    /** First component of the counters' keys, behind the keyspace. */
    public const PREFIX = 'SymfonyLimiter';

    private readonly RateLimiter $limiter;
    private readonly int|float $interval;

    /**
     * @param string $id the limit's name
     * @param int|float|\DateInterval|string $interval seconds, or what \DateTime::modify() takes: "15 minutes"
     * @param bool $strict never let more through than the limit, at the price of one more write; false: as MediaWiki does,
     *   which lets a little more through while many ask at once
     * @param (callable(\WRStats\Exception): void)|null $onFailure told when no answer can be had. What it throws reaches the
     *   caller; otherwise, and without it, the tokens are granted: a site does not stop because its counters do
     * @throws \ValueError for a limit or an interval that can't be
     */
    public function __construct(
        private readonly \WRStats $stats,
        private readonly string $id,
        private readonly int $limit,
        int|float|\DateInterval|string $interval,
        bool $strict = true,
        private $onFailure = null,
    ) {
        $this->interval = self::seconds($interval);
        $this->limiter = $stats->createRateLimiter(
            [$id => ['limit' => $limit, 'window' => $this->interval]],
            self::PREFIX,
            ['strict' => $strict],
        );
    }

    public function create(?string $key = null): LimiterInterface
    {
        return new Limiter(
            $this->stats,
            $this->limiter,
            $this->id,
            $this->limit,
            $this->interval,
            $key === null ? EntityKey::local() : EntityKey::local($key),
            $this->onFailure === null ? null : ($this->onFailure)(...),
        );
    }

    private static function seconds(int|float|\DateInterval|string $interval): int|float
    {
        if (is_int($interval) || is_float($interval)) {
            return $interval;
        }
        // From a fixed moment in UTC: no month or summer time makes it longer or shorter.
        $from = new \DateTimeImmutable('@0');
        $to = is_string($interval) ? @$from->modify("+$interval") : $from->add($interval);
        if ($to === false || $to <= $from) {
            throw new \ValueError("\$interval must be a time span such as \"15 minutes\", \"$interval\" given");
        }

        return $to->getTimestamp();
    }
}
