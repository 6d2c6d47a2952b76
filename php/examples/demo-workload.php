<?php

/**
 * What the demo counts: edits of a wiki that each run every abuse filter, profiled by four metrics with the time steps and
 * lifetimes of MediaWiki's AbuseFilter.
 */
final class Workload
{
    public const FILTERS = 300;

    private const SEQUENCES = [['timeStep' => 7200, 'expiry' => 86_400]];

    /** As createWriter() and createReader() take them. Times are kept in thousandths of a millisecond. */
    public const SPECS = [
        'count' => ['sequences' => self::SEQUENCES],
        'matches' => ['sequences' => self::SEQUENCES],
        'total-time' => ['resolution' => 1e-3, 'sequences' => self::SEQUENCES],
        'total-cond' => ['sequences' => self::SEQUENCES],
    ];

    /** Before every metric, so that two runs on one server never meet. */
    public readonly array $prefix;

    public function __construct()
    {
        $this->prefix = ['demo-' . bin2hex(random_bytes(4)), 'filter-profile'];
    }

    /**
     * What one edit adds. The same numbers give the same edit, so that a reader knows what writers wrote.
     * @return array<int, array<string, int|float>> filter => metric => value, times in milliseconds
     */
    public function edit(int $process, int $edit): array
    {
        mt_srand($process * 10_007 + $edit);
        $values = [];
        for ($filter = 1; $filter <= self::FILTERS; $filter++) {
            $values[$filter] = [
                'count' => 1,
                'matches' => mt_rand(0, 99) < $filter % 12 ? 1 : 0,
                'total-time' => (mt_rand(20, 400) + 40 * ($filter % 29)) / 1000,
                'total-cond' => mt_rand(1, 6) + $filter % 5,
            ];
        }

        return $values;
    }

    /**
     * The sums of all edits of these processes, in the units that are kept: times in thousandths of a millisecond.
     * @return array<int, array<string, int>> filter => metric => sum
     */
    public function expected(int $processes, int $edits): array
    {
        $sums = [];
        for ($process = 0; $process < $processes; $process++) {
            for ($edit = 0; $edit < $edits; $edit++) {
                foreach ($this->edit($process, $edit) as $filter => $values) {
                    foreach (self::kept($values) as $metric => $value) {
                        $sums[$filter][$metric] = ($sums[$filter][$metric] ?? 0) + $value;
                    }
                }
            }
        }

        return $sums;
    }

    /**
     * Values in whole numbers of what is kept.
     * @param array<string, int|float> $values
     * @return array<string, int>
     */
    public static function kept(array $values): array
    {
        $values['total-time'] = (int)round($values['total-time'] * 1000);

        return $values;
    }

    /**
     * The same edit as counters, for peers that know no writers.
     * @return array<string, int> key => step
     */
    public function counters(int $process, int $edit): array
    {
        $bucket = intdiv(time(), 7200);
        $steps = [];
        foreach ($this->edit($process, $edit) as $filter => $values) {
            foreach (self::kept($values) as $metric => $value) {
                $steps['local:' . implode(':', $this->prefix) . ":$metric::$bucket:$filter"] = $value;
            }
        }

        return $steps;
    }
}
