<?php

namespace WRStats\Tests;

/** The log of a run: what was checked, and how it went. */
final class Report
{
    private int $passed = 0;
    private int $failed = 0;
    private float $start;

    public function __construct()
    {
        $this->start = microtime(true);
    }

    public function part(string $title): void
    {
        printf("\n%s  (%.0f s)\n", $title, microtime(true) - $this->start);
    }

    public function tell(string $text): void
    {
        echo "        $text\n";
    }

    public function check(bool $holds, string $claim, mixed ...$evidence): void
    {
        $holds ? $this->passed++ : $this->failed++;
        printf("  %s  %s\n", $holds ? 'ok  ' : 'FAIL', $claim);
        if (!$holds) {
            foreach ($evidence as $item) {
                $this->tell(substr(is_string($item) ? $item : json_encode($item), 0, 1500));
            }
        }
    }

    public function same(mixed $expected, mixed $actual, string $claim): void
    {
        $this->check($expected === $actual, $claim, ['expected' => $expected], ['actual' => $actual]);
    }

    /** Prints the sum; whether all is well. */
    public function end(): bool
    {
        printf("\n%.0f s\n%d passed, %d failed\n", microtime(true) - $this->start, $this->passed, $this->failed);

        return $this->failed === 0 && $this->passed > 0;
    }
}
