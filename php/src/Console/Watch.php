<?php

namespace WRStats\Console;

use WRStats\ConnectionException;

/** `wrstats watch`: rates again and again; on a terminal redrawn, with their past as a sparkline. */
final class Watch implements Command
{
    private const PAST = 30;

    public static function options(): array
    {
        return ['interval=', 'window=', 'count='];
    }

    public function run(Arguments $arguments, Setup $setup, Output $output): int
    {
        $interval = $arguments->seconds('interval', 2);
        $window = $arguments->seconds('window', 60);
        $targets = $setup->targets($arguments);
        $past = array_map(fn () => new Sparkline(self::PAST), $targets);
        $left = $arguments->has('count') ? $arguments->count('count', 0) : PHP_INT_MAX;
        $drawn = 0;
        $code = self::OK;
        for ($next = microtime(true); $left > 0; $left--) {
            try {
                $rates = Reading::of($setup, $targets, $window);
                foreach ($rates as $i => $rate) {
                    $past[$i]->add($rate->perSecond());
                }
                $drawn = $this->show($targets, $rates, $past, $window, $drawn, $output);
            } catch (ConnectionException $error) {
                // A server that comes back is read again.
                $output->error($error->getMessage());
                $code = self::UNANSWERED;
                $drawn = 0;
            }
            $next = max($next + $interval, microtime(true));
            if ($left > 1) {
                usleep((int)(1e6 * max(0, $next - microtime(true))));
            }
        }

        return $code;
    }

    /** @return int how many lines can be drawn over */
    private function show(array $targets, array $rates, array $past, int|float $window, int $drawn, Output $output): int
    {
        if ($output->json) {
            $output->json([
                'time' => microtime(true),
                'window' => $window,
                'metrics' => array_map(Reading::describe(...), $targets, $rates),
            ]);
        } elseif (!$output->terminal) {
            foreach ($rates as $i => $rate) {
                $output->line(implode(' ', [
                    date('c'), $targets[$i]->text, Reading::number($rate->perSecond()) . '/s', Reading::number($rate->total()),
                ]));
            }
        } else {
            $output->back($drawn);

            return $output->table(["last $window s", 'per second', 'per minute', 'total', ''], array_map(
                fn (Target $target, $rate, Sparkline $line) => [
                    $target->text,
                    Reading::number($rate->perSecond()),
                    Reading::number($rate->perMinute()),
                    Reading::number($rate->total()),
                    (string)$line,
                ],
                $targets,
                $rates,
                $past,
            ));
        }

        return 0;
    }
}
