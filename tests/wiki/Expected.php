<?php

namespace WRStats\Tests;

/** What the filters' profiles have to be after the edits made. */
final class Expected
{
    /** Filter n evaluates two conditions: see Wiki::addFilters(). */
    private const CONDITIONS = 2;

    private int $edits = 0;
    private int $matchingEdits = 0;
    /** @var array<int, int> */
    private array $matches = [];

    public function __construct(private readonly int $filters)
    {
    }

    public function add(array $edits): void
    {
        $this->edits += count($edits);
        foreach ($edits as $edit) {
            $this->matchingEdits += $edit['matching'] ? 1 : 0;
            foreach ($edit['matching'] as $filter) {
                $this->matches[$filter] = ($this->matches[$filter] ?? 0) + 1;
            }
        }
    }

    /** All but the time, which nobody can foretell. */
    public function profiles(): array
    {
        $profiles = ['group' => [
            'total' => $this->edits,
            'overflow' => 0,
            'total-cond' => $this->edits * $this->filters * self::CONDITIONS,
            'matches' => $this->matchingEdits,
        ]];
        for ($filter = 1; $filter <= $this->filters; $filter++) {
            $profiles[$filter] = [
                'count' => $this->edits,
                'matches' => $this->matches[$filter] ?? 0,
                'total-cond' => $this->edits * self::CONDITIONS,
            ];
        }

        return $profiles;
    }

    public static function withoutTime(array $profiles): array
    {
        return array_map(fn ($profile) => array_diff_key($profile, ['total-time' => 0]), $profiles);
    }

    /** How many increments are missing from the profiles: of each edit and filter count, time, conditions and matches. */
    public function missing(array $profiles): int
    {
        $missing = 0;
        foreach ($this->profiles() as $name => $expected) {
            $edits = $name === 'group' ? 'total' : 'count';
            $missing += 3 * ($expected[$edits] - $profiles[$name][$edits]);
            $missing += $expected['matches'] - $profiles[$name]['matches'];
        }

        return $missing;
    }
}
