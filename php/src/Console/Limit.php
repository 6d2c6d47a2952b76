<?php

namespace WRStats\Console;

use WRStats\LimitCounters;

/** `wrstats limit`: whether a rate limit allows something now. It only looks, unless told to count or to forget. */
final class Limit implements Command
{
    public static function options(): array
    {
        return ['limit=', 'window=', 'amount=', 'buckets=', 'strict', 'take', 'forget'];
    }

    public function run(Arguments $arguments, Setup $setup, Output $output): int
    {
        if (count($arguments->positional) !== 1) {
            throw new UsageError('limit: name one condition: CONDITION, CONDITION@a,b');
        }
        if ($arguments->has('take') && $arguments->has('forget')) {
            throw new UsageError('limit: --take or --forget, not both');
        }
        $target = Target::parse($arguments->positional[0]);
        $condition = $this->condition($target->name, $arguments, $setup);
        $options = $setup->limitOptions;
        if ($arguments->has('strict')) {
            $options['strict'] = true;
        }
        $options['bucketCount'] = $arguments->count('buckets', $options['bucketCount'] ?? 30);
        // Made in any case: it checks them.
        $limiter = $setup->stats->createRateLimiter([$target->name => $condition], $setup->prefix, $options);

        if ($arguments->has('forget')) {
            $setup->stats->sync();
            LimitCounters::forget(
                $setup->stats,
                $setup->prefix,
                $target->name,
                $condition['window'],
                $target->entity(),
                $options['bucketCount'],
            );
            if (!$setup->stats->sync()) {
                $output->error('not everything was forgotten: a server did not confirm it');

                return self::UNANSWERED;
            }
        }
        $amount = $arguments->count('amount', 1);
        $result = $arguments->has('take')
            ? $limiter->tryIncr($target->name, $target->entity(), $amount)
            : $limiter->peek($target->name, $target->entity(), $amount);
        $setup->stats->flush();
        $wait = $result->retryAfter();
        if ($output->json) {
            $output->json($target->describe('condition') + [
                'allowed' => $result->isAllowed(),
                'limit' => $result->limit,
                'window' => $result->window,
                'used' => $result->prevTotal,
                'remaining' => $result->remaining(),
                'retry_after' => is_finite($wait) ? $wait : null,
            ]);
        } else {
            $output->line(sprintf(
                '%s: %s; %d of %d used in %s s%s',
                $target->text,
                $result->isAllowed() ? $output->style('32', 'allowed') : $output->style('31', 'refused'),
                $result->isAllowed() && $arguments->has('take') ? $result->newTotal : $result->prevTotal,
                $result->limit,
                $result->window,
                match (true) {
                    $result->isAllowed() => '',
                    is_finite($wait) => sprintf(', again in %.1f s', $wait),
                    default => ', more at once than the limit ever allows',
                },
            ));
        }

        return $result->isAllowed() ? self::OK : self::REFUSED;
    }

    /** @return array{limit: mixed, window: mixed} */
    private function condition(string $name, Arguments $arguments, Setup $setup): array
    {
        $condition = (array)($setup->limits[$name] ?? []);
        if ($arguments->has('limit')) {
            $condition['limit'] = $arguments->count('limit', 0);
        }
        if ($arguments->has('window')) {
            $condition['window'] = $arguments->seconds('window', 0);
        }
        if (!isset($condition['limit'], $condition['window'])) {
            throw new UsageError("limit: nothing describes \"$name\": give --limit=8 --window=60, or --config=FILE with 'limits'");
        }

        return $condition;
    }
}
