<?php

namespace WRStats\Tests;

/** Processes that edit at the same time: see client.php. */
final class Clients
{
    private static int $number = 0;

    /** @param array<array{resource, resource}> $running process and its output */
    private function __construct(private readonly array $running)
    {
    }

    /** One client for each server. */
    public static function start(int $edits, int $filters, WikiServer ...$servers): self
    {
        $running = [];
        foreach ($servers as $server) {
            $name = 'c' . ++self::$number;
            $process = proc_open(
                [PHP_BINARY, '-n', __DIR__ . '/client.php', $server->address, $name, (string)$edits, (string)$filters],
                [['file', '/dev/null', 'r'], ['pipe', 'w']],
                $pipes,
            );
            $running[] = [$process, $pipes[1]];
        }

        return new self($running);
    }

    /** @return array<array{at: float, result: string, seconds: float, matching: int[]}> every edit made */
    public function edits(): array
    {
        $edits = [];
        foreach ($this->running as [$process, $output]) {
            while (($line = fgets($output)) !== false) {
                $edits[] = json_decode($line, true);
            }
            proc_close($process);
        }

        return $edits;
    }
}
