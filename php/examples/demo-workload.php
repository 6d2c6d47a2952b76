<?php

/**
 * What the demo counts: edits of a wiki that each run every abuse filter, which is profiled by four metrics, in the keys
 * and with the lifetimes of MediaWiki's AbuseFilter (buckets of two hours, kept for a day).
 */
final class Workload
{
    public const FILTERS = 300;

    /** Metric => unit. Times are counted in thousandths of a millisecond: counters are whole numbers. */
    public const METRICS = ['count' => '', 'matches' => '', 'total-time' => 'µs', 'total-cond' => ''];

    private const TIME_STEP = 7200;
    private const EXPIRY = 86_400;

    /** Seconds that a counter lives: as long as its bucket can be asked for. */
    public const TTL = self::EXPIRY + self::TIME_STEP;

    private readonly int $bucket;

    /** @param string $prefix put before every key, so that two runs on one server never meet */
    public function __construct(private readonly string $prefix)
    {
        $this->bucket = intdiv(time(), self::TIME_STEP);
    }

    public function key(string $metric, int $filter): string
    {
        return "$this->prefix:filter-profile:$metric::$this->bucket:$filter";
    }

    /**
     * What one edit adds. The same numbers give the same edit, so that a reader knows what writers wrote.
     * @return array<string, int> key => step
     */
    public function edit(int $process, int $edit): array
    {
        mt_srand($process * 10_007 + $edit);
        $steps = [];
        for ($filter = 1; $filter <= self::FILTERS; $filter++) {
            $steps[$this->key('count', $filter)] = 1;
            $steps[$this->key('matches', $filter)] = mt_rand(0, 99) < $filter % 12 ? 1 : 0;
            $steps[$this->key('total-time', $filter)] = mt_rand(20, 400) + 40 * ($filter % 29);
            $steps[$this->key('total-cond', $filter)] = mt_rand(1, 6) + $filter % 5;
        }

        return $steps;
    }

    /**
     * The sums of all edits of these processes.
     * @return array<string, int> key => sum
     */
    public function expected(int $processes, int $edits): array
    {
        $sums = [];
        for ($process = 0; $process < $processes; $process++) {
            for ($edit = 0; $edit < $edits; $edit++) {
                foreach ($this->edit($process, $edit) as $key => $step) {
                    $sums[$key] = ($sums[$key] ?? 0) + $step;
                }
            }
        }

        return $sums;
    }
}
