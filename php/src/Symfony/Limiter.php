<?php

namespace WRStats\Symfony;

use Symfony\Component\RateLimiter\Exception\ReserveNotSupportedException;
use Symfony\Component\RateLimiter\LimiterInterface;
use Symfony\Component\RateLimiter\RateLimit;
use Symfony\Component\RateLimiter\Reservation;
use WRStats\EntityKey;
use WRStats\LimitCounters;
use WRStats\RateLimiter;

/** One counted thing under one limit, for symfony/rate-limiter. Made by LimiterFactory. Needs no lock and no storage. */
final class Limiter implements LimiterInterface
{
    /** @internal */
    public function __construct(
        private readonly \WRStats $stats,
        private readonly RateLimiter $limiter,
        private readonly string $id,
        private readonly int $limit,
        private readonly int|float $interval,
        private readonly EntityKey $entity,
        private readonly ?\Closure $onFailure,
    ) {
    }

    /** @throws ReserveNotSupportedException always: a sliding window can't promise a moment, others take from it, too */
    public function reserve(int $tokens = 1, ?float $maxTime = null): Reservation
    {
        throw new ReserveNotSupportedException(self::class);
    }

    /** @throws \InvalidArgumentException for more tokens than the limit ever allows */
    public function consume(int $tokens = 1): RateLimit
    {
        if ($tokens > $this->limit) {
            throw new \InvalidArgumentException("$tokens tokens can never be had of \"$this->id\", whose limit is $this->limit.");
        }
        try {
            $result = $this->limiter->tryIncr($this->id, $this->entity, $tokens);
        } catch (\WRStats\Exception $failure) {
            if ($this->onFailure !== null) {
                ($this->onFailure)($failure);
            }

            return new RateLimit($this->limit - $tokens, self::in(0), true, $this->limit);
        }
        $left = $result->remaining() - ($result->isAllowed() ? $tokens : 0);

        return new RateLimit(max(0, $left), self::in($result->retryAfter()), $result->isAllowed(), $result->limit);
    }

    public function reset(): void
    {
        LimitCounters::forget($this->stats, LimiterFactory::PREFIX, $this->id, $this->interval, $this->entity);
    }

    private static function in(float $seconds): \DateTimeImmutable
    {
        return \DateTimeImmutable::createFromFormat('U.u', sprintf('%.6F', microtime(true) + $seconds));
    }
}
