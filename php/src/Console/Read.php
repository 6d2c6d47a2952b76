<?php

namespace WRStats\Console;

/** `wrstats read`: totals and rates of metrics, once. */
final class Read implements Command
{
    public static function options(): array
    {
        return ['window='];
    }

    public function run(Arguments $arguments, Setup $setup, Output $output): int
    {
        $window = $arguments->seconds('window', 600);
        $targets = $setup->targets($arguments);
        $rates = Reading::of($setup, $targets, $window);
        if ($output->json) {
            $output->json(['window' => $window, 'metrics' => array_map(Reading::describe(...), $targets, $rates)]);

            return self::OK;
        }
        $rows = [];
        foreach ($rates as $i => $rate) {
            $numbers = [$rate->total(), $rate->perSecond(), $rate->perMinute(), $rate->perHour(), $rate->perDay()];
            $rows[] = [$targets[$i]->text, ...array_map(Reading::number(...), $numbers)];
        }
        $output->table(["last $window s", 'total', 'per second', 'per minute', 'per hour', 'per day'], $rows);

        return self::OK;
    }
}
