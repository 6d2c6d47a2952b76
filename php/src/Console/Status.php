<?php

namespace WRStats\Console;

use WRStats;

/** `wrstats status`: asks every server something, and tells how it is. */
final class Status implements Command
{
    private const ROUNDS = 5;
    /** A server with a small weight has few keys: so many are tried to find one of its own. */
    private const KEYS_TRIED = 100_000;

    public static function options(): array
    {
        return [];
    }

    public function run(Arguments $arguments, Setup $setup, Output $output): int
    {
        if ($arguments->positional !== []) {
            throw new UsageError('status takes no arguments');
        }
        $keys = self::keys($setup->stats);
        $latencies = array_map(fn (string $key) => self::latency($setup->stats, $key), $keys);
        $servers = [];
        foreach ($setup->stats->servers() as $name => $server) {
            $servers[] = ['server' => $name] + $server + ['latency' => $latencies[$name] ?? null];
        }
        // A server that answers is up, whatever its books said of an earlier failure.
        $down = array_filter($servers, fn (array $server) => $server['latency'] === null);
        if ($output->json) {
            $output->json(['ok' => $down === [], 'servers' => $servers]);
        } elseif ($servers === []) {
            $output->line('memory: no servers');
        } else {
            $output->table(
                ['server', 'state', 'dialect', 'version', 'weight', 'round trip'],
                array_map(fn (array $server) => [
                    $server['server'],
                    $server['latency'] === null ? $output->style('31', $server['state']) : $output->style('32', 'up'),
                    $server['dialect'],
                    $server['version'],
                    (string)$server['weight'],
                    $server['latency'] === null ? null : sprintf('%.3f ms', $server['latency'] * 1e3),
                ], $servers),
            );
        }
        foreach ($down as $server) {
            $output->error("{$server['server']}: " . ($server['error'] ?? 'did not answer'));
        }

        return $down === [] ? self::OK : self::UNANSWERED;
    }

    /** @return array<string, string> for every server a key that is kept on it */
    private static function keys(WRStats $stats): array
    {
        $wanted = count($stats->servers());
        $keys = [];
        for ($i = 0; count($keys) < $wanted && $i < self::KEYS_TRIED; $i++) {
            $keys[$stats->serverFor("wrstats-status:$i")] ??= "wrstats-status:$i";
        }

        return $keys;
    }

    /** Seconds of a usual round trip, the connection being there; null: no answer. */
    private static function latency(WRStats $stats, string $key): ?float
    {
        $times = [];
        try {
            $stats->get($key);
            for ($i = 0; $i < self::ROUNDS; $i++) {
                $from = hrtime(true);
                $stats->get($key);
                $times[] = (hrtime(true) - $from) / 1e9;
            }
        } catch (WRStats\ConnectionException) {
            return null;
        }
        sort($times);

        return $times[intdiv(self::ROUNDS, 2)];
    }
}
