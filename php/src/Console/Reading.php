<?php

namespace WRStats\Console;

use WRStats\Rate;

/** Rates of several metrics over the last seconds, read in one round trip. */
final class Reading
{
    /**
     * @param list<Target> $targets
     * @return list<Rate> in the order of the targets
     * @throws \WRStats\ConnectionException
     */
    public static function of(Setup $setup, array $targets, int|float $window): array
    {
        // Each time a new one: a reader keeps its time and its values.
        $reader = $setup->stats->createReader($setup->metrics, $setup->prefix);
        $range = $reader->latest($window);
        $rates = array_map(fn (Target $target) => $reader->getRate($target->name, $target->entity(), $range), $targets);
        $reader->fetch();

        return $rates;
    }

    /** @return array<string, mixed> for --json */
    public static function describe(Target $target, Rate $rate): array
    {
        return $target->describe('metric') + [
            'total' => $rate->total(),
            'per_second' => $rate->perSecond(),
            'per_minute' => $rate->perMinute(),
            'per_hour' => $rate->perHour(),
            'per_day' => $rate->perDay(),
        ];
    }

    /** A number as people read it: few digits where they don't matter. */
    public static function number(int|float $number): string
    {
        return match (true) {
            is_int($number) => (string)$number,
            abs($number) >= 1000 => sprintf('%.0f', $number),
            abs($number) >= 10 || $number == 0 => sprintf('%.1f', $number),
            default => sprintf('%.3f', $number),
        };
    }
}
