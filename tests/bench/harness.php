<?php

/**
 * What all benches share: peers take turns, each run is checked, medians and spread are shown, and what was found is left
 * for report.php. Settings: RUNS (15), and WRSTATS_BENCH_RESULTS, a folder; without it there is no report.
 *
 * A peer is slower than another only where that holds in the median; a ratio that was wanted is reached or missed by it too.
 */

/** What runs, for whoever watches a terminal; nothing: wipes it off. */
function progress(string $what = ''): void
{
    if (stream_isatty(STDERR)) {
        fwrite(STDERR, "\r\33[K$what");
    }
}

/** How often each peer's work is measured. */
function runs(): int
{
    return max(1, (int)(getenv('RUNS') ?: 15));
}

/** Microseconds of CPU of this process so far; 1: of those that it started and that have ended. */
function used(int $of = 0): float
{
    $used = getrusage($of);

    return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1e6 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
}

function median(array $values): float
{
    sort($values);

    return ($values[intdiv(count($values) - 1, 2)] + $values[intdiv(count($values), 2)]) / 2;
}

/** Ends the bench where something is not as it has to be: a wrong sum makes every time worthless. */
function check(mixed $expected, mixed $found, string $what): void
{
    if ($expected !== $found) {
        progress();
        fwrite(STDERR, "$what: expected " . json_encode($expected) . ', found ' . substr(json_encode($found), 0, 500) . "\n");
        exit(1);
    }
}

/** What came of a peer's runs, in µs for one of what is counted. */
final class Times
{
    /** @var list<float> */
    public array $cpu = [];
    /** @var list<float> */
    public array $wall = [];
    /** What its checks missed, of all it was to count. */
    public int $lost = 0;
    public int $counted = 0;
}

/**
 * Peers take turns. Each turn begins with a run that only warms up: what another peer did just before has cleared the caches.
 *
 * @param array<string, callable(int): mixed> $peers given the run's number, which differs from all before
 * @param array<string, int>|int $of how many things a run does: times are for one
 * @param callable(string, int, mixed): ?int $check after each run, outside the time, given the peer's name, the run's number
 *   and its answer: waits until all has arrived; answers how much is missing, or ends the bench by itself
 * @return array<string, Times>
 */
function race(string $title, array $peers, array|int $of, callable $check): array
{
    static $number = 0;
    $times = [];
    for ($run = 1; $run <= runs(); $run++) {
        foreach ($peers as $name => $work) {
            progress("$title: run $run of " . runs() . ", $name");
            $times[$name] ??= new Times();
            $ops = is_int($of) ? $of : $of[$name];
            foreach ([false, true] as $counts) {
                $number++;
                $cpu = used();
                $wall = hrtime(true);
                $answer = $work($number);
                $wall = (hrtime(true) - $wall) / 1e3;
                $cpu = used() - $cpu;
                $times[$name]->lost += $check($name, $number, $answer) ?? 0;
                $times[$name]->counted += $ops;
                if ($counts) {
                    $times[$name]->cpu[] = $cpu / $ops;
                    $times[$name]->wall[] = $wall / $ops;
                }
            }
        }
    }
    progress();

    return $times;
}

/** One script's findings: printed as they come, and left for report.php. */
final class Findings
{
    private array $found = [];

    public function __construct(private readonly string $name)
    {
        register_shutdown_function(function () {
            $folder = getenv('WRSTATS_BENCH_RESULTS');
            if ($folder !== false && $folder !== '') {
                file_put_contents("$folder/$this->name.json", json_encode($this->found, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE));
            }
        });
    }

    /**
     * A table with a row for each peer, the first being ours.
     *
     * @param array<string, Times> $times
     * @param string $by 'cpu' of the client, for what is sent in the background, or 'wall', for what waits for an answer
     * @param Times|null $loop what the loop itself takes, which is taken off
     * @return array<string, float> medians
     */
    public function table(string $title, string $of, array $times, string $by, ?Times $loop = null, string $note = ''): array
    {
        $off = $loop === null ? 0.0 : median($loop->$by);
        $medians = array_map(fn(Times $times) => max(0.0001, median($times->$by) - $off), $times);
        $ours = reset($medians);
        $rows = [];
        printf("\n%s (µs of %s for %s)\n", $title, $by === 'cpu' ? 'client CPU' : 'time', $of);
        foreach ($times as $name => $peer) {
            $row = [
                'peer' => $name,
                'median' => $medians[$name],
                'least' => min($peer->$by) - $off,
                'most' => max($peer->$by) - $off,
                'ratio' => $medians[$name] / $ours,
                'lost' => $peer->lost,
                'counted' => $peer->counted,
            ];
            printf(
                "  %-44s %12.3f  %10.3f … %-12.3f %8.2f x%s\n",
                $name, $row['median'], $row['least'], $row['most'], $row['ratio'],
                $peer->lost === 0 ? '' : "  LOST $peer->lost of $peer->counted",
            );
            $rows[] = $row;
        }
        if ($note !== '') {
            echo "  $note\n";
        }
        check(0, reset($times)->lost, "$title: lost by us");
        $this->found[] = ['kind' => 'table'] + compact('title', 'of', 'by', 'rows', 'note');

        return $medians;
    }

    /** A number that the design wants to be at most, or at least, so much. */
    public function wanted(string $what, float $found, string $sign, float $wanted, string $unit = 'x'): void
    {
        $reached = $sign === '<=' ? $found <= $wanted : $found >= $wanted;
        printf("  -> %s: %s %s, wanted %s %s: %s\n", $what, figure($found), $unit, $sign, figure($wanted), $reached ? 'reached' : 'MISSED');
        $this->found[] = ['kind' => 'wanted'] + compact('what', 'found', 'sign', 'wanted', 'unit', 'reached');
    }

    /** A number for itself. */
    public function number(string $what, float $found, string $unit): void
    {
        printf("  %-60s %12s %s\n", $what, figure($found), $unit);
        $this->found[] = ['kind' => 'number'] + compact('what', 'found', 'unit');
    }

    /** @param array<string, list<array{float, float}>> $lines name => points, for the plot */
    public function plot(string $title, string $x, string $y, array $lines, string $note = ''): void
    {
        echo "\n$title ($y)\n";
        foreach ($lines as $name => $points) {
            echo "  $name: ", implode(', ', array_map(fn($point) => figure($point[0]) . ': ' . figure($point[1]), $points)), "\n";
        }
        $this->found[] = ['kind' => 'plot'] + compact('title', 'x', 'y', 'lines', 'note');
    }

    /** What could not be measured here. */
    public function missing(string $what): void
    {
        echo "  not measured: $what\n";
        $this->found[] = ['kind' => 'missing', 'what' => $what];
    }
}

/** Three digits that count; whole numbers as they are. */
function figure(float $value): string
{
    if ($value === floor($value) && abs($value) < 1e15) {
        return number_format($value);
    }
    $digits = $value == 0.0 ? 0 : max(0, 2 - (int)floor(log10(abs($value))));

    return number_format($value, min($digits, 4));
}
