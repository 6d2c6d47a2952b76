<?php

namespace WRStats\MediaWiki;

use ValueError;
use Wikimedia\WRStats\LimitBatchResult;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LimitOperation;
use Wikimedia\WRStats\LimitOperationResult;
use Wikimedia\WRStats\StatsStore;
use Wikimedia\WRStats\WRStatsRateLimiter;
use WRStats\Exception;
use WRStats\LimitBatch;
use WRStats\RateLimiter;

/**
 * MediaWiki's rate limiter, on the extension's: one round trip for a batch. Where the extension can't do it, or a
 * server doesn't answer, MediaWiki's own code does what can be done.
 */
class NativeWRStatsRateLimiter extends WRStatsRateLimiter
{
    private bool $isBaseReady = false;

    /**
     * @param int|float|null $now null: the clock's, at each call
     * @param LimitCondition[] $conditions
     */
    public function __construct(
        private readonly RateLimiter $limiter,
        private $now,
        private readonly StatsStore $store,
        private readonly array $conditions,
        private readonly array|string $prefix,
        private readonly array $options,
    ) {
        if ($now !== null) {
            $limiter->setCurrentTime($now);
        }
    }

    public function peekBatch(array $operations)
    {
        try {
            return $this->run($operations, 'peek') ?? $this->peekInGroups($operations);
        } catch (ValueError | Exception) {
            $this->readyBase();

            return parent::peekBatch($operations);
        }
    }

    public function tryIncrBatch(array $operations)
    {
        try {
            $result = $this->run($operations, 'tryIncr');
            if ($result !== null) {
                return $result;
            }
        } catch (ValueError | Exception) {
        }
        $result = $this->peekBatch($operations);
        if ($result->isAllowed()) {
            $this->incrBatch($operations);
        }

        return $result;
    }

    public function incrBatch(array $operations)
    {
        try {
            $batch = $this->batch($operations);
            if ($batch !== null) {
                $batch->incr();

                return;
            }
            foreach ($operations as $operation) {
                $this->limiter->incr($operation->condName, $operation->entityKey, $operation->amount);
            }
        } catch (ValueError) {
            $this->readyBase();
            parent::incrBatch($operations);
        }
    }

    public function setCurrentTime($now)
    {
        $this->now = $now;
        $this->limiter->setCurrentTime($now);
    }

    public function resetCurrentTime()
    {
        $this->now = null;
        $this->limiter->resetCurrentTime();
    }

    /**
     * In one round trip; null: such operations are not what the extension has batches for.
     *
     * @param LimitOperation[] $operations
     * @param string $verb "peek" or "tryIncr"
     * @throws ValueError|Exception
     */
    private function run(array $operations, string $verb): ?LimitBatchResult
    {
        $batch = $this->batch($operations);
        if ($batch !== null) {
            $answers = $batch->$verb()->getAllResults();
        } elseif (count($operations) === 1) {
            $operation = current($operations);
            $answers[$operation->condName] =
                $this->limiter->$verb($operation->condName, $operation->entityKey, $operation->amount);
        } else {
            return null;
        }
        $results = [];
        foreach ($operations as $i => $operation) {
            $answer = $answers[$operation->condName];
            $results[$i] = new LimitOperationResult(
                $this->conditions[$operation->condName],
                $answer->prevTotal,
                $answer->newTotal,
            );
        }

        return new LimitBatchResult($results);
    }

    /**
     * The operations as the extension's batch; null: they are none. Both put the condition's name before an entity's
     * components, and have one operation for each condition.
     *
     * @param LimitOperation[] $operations
     */
    private function batch(array $operations): ?LimitBatch
    {
        $batch = $this->limiter->createBatch();
        $names = [];
        foreach ($operations as $operation) {
            $name = $operation->condName;
            $components = array_values($operation->entityKey->getComponents());
            if (($components[0] ?? null) !== $name || isset($names[$name])) {
                return null;
            }
            $names[$name] = true;
            $components = array_slice($components, 1);
            if ($operation->entityKey->isGlobal()) {
                $batch->globalOp($name, $components, $operation->amount);
            } else {
                $batch->localOp($name, $components, $operation->amount);
            }
        }

        return $batch;
    }

    /**
     * Operations of any kind: those on the same thing add up, every thing has a count of its own.
     *
     * @param LimitOperation[] $operations
     * @throws ValueError|Exception
     */
    private function peekInGroups(array $operations): LimitBatchResult
    {
        $amounts = $totals = $groups = [];
        foreach ($operations as $i => $operation) {
            $entity = $operation->entityKey;
            $groups[$i] = $operation->condName . ($entity->isGlobal() ? ' global ' : ' local ')
                . serialize(array_map('strval', array_values($entity->getComponents())));
            $amounts[$groups[$i]] = ($amounts[$groups[$i]] ?? 0) + $operation->amount;
        }
        $results = [];
        foreach ($operations as $i => $operation) {
            $group = $groups[$i];
            $totals[$group] ??= $this->limiter->peek($operation->condName, $operation->entityKey, 0)->prevTotal;
            $results[$i] = new LimitOperationResult(
                $this->conditions[$operation->condName],
                $totals[$group],
                $totals[$group] + $amounts[$group],
            );
        }

        return new LimitBatchResult($results);
    }

    private function readyBase(): void
    {
        if (!$this->isBaseReady) {
            parent::__construct($this->store, $this->conditions, $this->prefix, $this->options);
            $this->isBaseReady = true;
        }
        if ($this->now === null) {
            parent::resetCurrentTime();
        } else {
            parent::setCurrentTime($this->now);
        }
    }
}
