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

    /**
     * How many increments are missing from the profiles, at least and at most: of each edit and filter count, time,
     * conditions and matches. What times add up to nobody can foretell, so where the count of an edit is missing and its
     * conditions are not, because they went out in two sends, its time may be with either.
     *
     * @return array{int, int}
     */
    public function missing(array $profiles): array
    {
        $least = $most = 0;
        foreach ($this->profiles() as $name => $expected) {
            $edits = $name === 'group' ? 'total' : 'count';
            $count = $expected[$edits] - $profiles[$name][$edits];
            $conditionsOfEdit = self::CONDITIONS * ($name === 'group' ? $this->filters : 1);
            $conditions = intdiv($expected['total-cond'] - $profiles[$name]['total-cond'], $conditionsOfEdit);
            $known = $count + $conditions + $expected['matches'] - $profiles[$name]['matches'];
            $least += $known + min($count, $conditions);
            $most += $known + max($count, $conditions);
        }

        return [$least, $most];
    }
}
