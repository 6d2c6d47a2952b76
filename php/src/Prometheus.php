<?php

namespace WRStats;

use WRStats as Pool;

/**
 * Prometheus' text format: this process's books of a pool, and rates of metrics as all processes have counted them, read
 * from memcached.
 *
 *     header('Content-Type: ' . WRStats\Prometheus::CONTENT_TYPE);
 *     echo (new WRStats\Prometheus($stats))->rates(['edits' => $spec])->render();
 *
 * Serve it where the public can't reach it: it names servers, metrics and entities, and each call reads from memcached.
 * Under PHP-FPM a scrape is answered by one worker, whose books are its own: give it the label ['pid' => getmypid()], or
 * render() without books. Rates are the same from every worker.
 */
final class Prometheus
{
    public const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

    /** What in metrics() goes up and down; all else only grows. */
    private const GAUGES = ['pending', 'in_flight', 'pending_bytes'];

    /** @var list<array{reader: Reader, labels: array<string, string>, rate: Rate}> */
    private array $asked = [];

    /** @param array<string, string|int> $labels put on every sample */
    public function __construct(private readonly Pool $stats, private readonly array $labels = [])
    {
    }

    /**
     * Metrics to be shown, each for each of the entities.
     *
     * @param array<string, array> $specs as createReader() takes them
     * @param string|array $prefix as createWriter() got it
     * @param array<string, array|object|null> $entities by what they are to be called in the label "entity"; '': no label
     * @param int|float $window seconds up to now over which rates are taken
     */
    public function rates(
        array $specs,
        string|array $prefix = 'WRStats',
        array $entities = ['' => null],
        int|float $window = 600,
    ): self {
        $reader = $this->stats->createReader($specs, $prefix);
        $range = $reader->latest($window);
        foreach ($specs as $metric => $spec) {
            foreach ($entities as $name => $entity) {
                $this->asked[] = [
                    'reader' => $reader,
                    'labels' => ['metric' => (string)$metric, 'prefix' => implode(':', (array)$prefix)]
                        + ((string)$name === '' ? [] : ['entity' => (string)$name]) + ['window' => (string)$window],
                    'rate' => $reader->getRate((string)$metric, $entity, $range),
                ];
            }
        }

        return $this;
    }

    /** @param bool $books with this process's totals and the state of its servers */
    public function render(bool $books = true): string
    {
        return $this->renderRates() . ($books ? $this->renderBooks() : '');
    }

    private function renderRates(): string
    {
        $total = $perSecond = [];
        $failed = false;
        foreach ($this->asked as ['reader' => $reader, 'labels' => $labels, 'rate' => $rate]) {
            try {
                $reader->fetch();
            } catch (ConnectionException) {
                // No sample is better than one that says 0.
                $failed = true;
                continue;
            }
            $total[] = [$labels, $rate->total()];
            $perSecond[] = [$labels, $rate->perSecond()];
        }
        if ($this->asked === []) {
            return '';
        }

        return $this->family('wrstats_window_total', 'gauge', 'What was counted within the window, in all processes.', $total)
            . $this->family('wrstats_window_per_second', 'gauge', 'The same per second.', $perSecond)
            . $this->family('wrstats_read_failed', 'gauge', '1: a server did not answer, so that rates are missing here.', [
                [[], (int)$failed],
            ]);
    }

    private function renderBooks(): string
    {
        $text = '';
        foreach ($this->stats->metrics() as $name => $value) {
            $gauge = in_array($name, self::GAUGES, true);
            $text .= $this->family(
                "wrstats_$name" . ($gauge ? '' : '_total'),
                $gauge ? 'gauge' : 'counter',
                "metrics()['$name'] of this process.",
                [[[], $value]],
            );
        }
        $up = [];
        foreach ($this->stats->servers() as $server => $row) {
            $up[] = [['server' => (string)$server], (int)($row['state'] !== 'down')];
        }

        return $text . $this->family('wrstats_server_up', 'gauge', '0: this process has marked the server down.', $up);
    }

    /** @param list<array{array<string, string>, int|float}> $samples */
    private function family(string $name, string $type, string $help, array $samples): string
    {
        if ($samples === []) {
            return '';
        }
        $text = "# HELP $name $help\n# TYPE $name $type\n";
        foreach ($samples as [$labels, $value]) {
            $pairs = [];
            foreach ($labels + $this->labels as $label => $of) {
                $pairs[] = $label . '="' . self::escape((string)$of) . '"';
            }
            // Not as the locale or the ini setting "precision" would have it.
            $text .= $name . ($pairs === [] ? '' : '{' . implode(',', $pairs) . '}') . ' '
                . (is_float($value) ? json_encode($value) : $value) . "\n";
        }

        return $text;
    }

    private static function escape(string $value): string
    {
        if (preg_match('//u', $value) !== 1) {
            $value = preg_replace('/[\x80-\xff]/', "\u{fffd}", $value);
        }

        return strtr($value, ['\\' => '\\\\', '"' => '\"', "\n" => '\n']);
    }
}
