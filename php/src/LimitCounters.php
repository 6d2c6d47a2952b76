<?php

namespace WRStats;

/** What a rate limiter has counted. */
final class LimitCounters
{
    /**
     * Forgets what a limit has counted for an entity, whether by itself or in a batch: its buckets are those of a metric of
     * this shape. The deletions are queued as a writer's are.
     *
     * @param int|float $window the condition's, in seconds
     * @param int $bucketCount the limiter's
     */
    public static function forget(
        \WRStats $stats,
        string|array $prefix,
        string $condition,
        int|float $window,
        EntityKey $entity,
        int $bucketCount = 30,
    ): void {
        $spec = ['sequences' => [['timeStep' => $window / $bucketCount, 'expiry' => $window]]];
        // A batch names the condition in the entity once more.
        $components = [$condition, ...$entity->getComponents()];
        $inBatch = $entity->isGlobal() ? EntityKey::global(...$components) : EntityKey::local(...$components);
        $stats->createWriter([$condition => $spec], $prefix)->resetAll([$entity, $inBatch]);
    }
}
