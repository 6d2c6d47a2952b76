<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use WRStats\Prometheus;

/** Every line of the text is as Prometheus reads it, and says what is so. */
final class PrometheusTest extends TestCase
{
    private const SPECS = ['edits' => ['sequences' => [['timeStep' => 10, 'expiry' => 600]]]];
    private \WRStats $stats;
    private string $prefix;

    protected function setUp(): void
    {
        $this->stats = new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')], 'persistent' => 'prometheus-test']);
        $this->prefix = 'prom' . bin2hex(random_bytes(6));
    }

    /** @return array<string, float> sample => value; and checks the form of all lines */
    private function samples(string $text): array
    {
        $this->assertStringEndsWith("\n", $text);
        $samples = $types = [];
        foreach (explode("\n", rtrim($text, "\n")) as $line) {
            if (preg_match('/^# TYPE ([a-z_]+) (counter|gauge)$/', $line, $type)) {
                $this->assertArrayNotHasKey($type[1], $types, 'one TYPE line for each family');
                $types[$type[1]] = $type[2];
            } elseif (!str_starts_with($line, '# HELP ')) {
                $label = '[a-z]+="(?:[^"\\\\\n]|\\\\[\\\\"n])*"';
                $this->assertMatchesRegularExpression("/^[a-z_]+(\\{{$label}(,{$label})*\\})? -?[\\d.]+(e[+-]?\\d+)?$/", $line);
                preg_match('/^([a-z_]+)/', $line, $name);
                $this->assertArrayHasKey($name[1], $types, 'its TYPE comes first');
                $this->assertSame(str_ends_with($name[1], '_total') && $name[1] !== 'wrstats_window_total', $types[$name[1]] === 'counter');
                $space = strrpos($line, ' ');
                $samples[substr($line, 0, $space)] = (float)substr($line, $space + 1);
            }
        }

        return $samples;
    }

    public function testRatesAreWhatAllProcessesHaveCounted(): void
    {
        $writer = $this->stats->createWriter(self::SPECS, $this->prefix);
        $writer->incr('edits', null, 6);
        $writer->incr('edits', ['dewiki'], 3);
        $writer->flush();
        $this->assertTrue($this->stats->sync());
        $samples = $this->samples((new Prometheus(new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')]])))
            ->rates(self::SPECS, $this->prefix, ['' => null, 'German "wiki"\\' => ['dewiki']], 60)
            ->render(books: false));
        $of = "metric=\"edits\",prefix=\"$this->prefix\"";
        $this->assertEquals([
            "wrstats_window_total{{$of},window=\"60\"}" => 6,
            "wrstats_window_total{{$of},entity=\"German \\\"wiki\\\"\\\\\",window=\"60\"}" => 3,
            "wrstats_window_per_second{{$of},window=\"60\"}" => 0.1,
            "wrstats_window_per_second{{$of},entity=\"German \\\"wiki\\\"\\\\\",window=\"60\"}" => 0.05,
            'wrstats_read_failed' => 0,
        ], $samples);
    }

    public function testBooksAreThoseOfMetrics(): void
    {
        $this->stats->incr("$this->prefix:a", 1, 60);
        $this->stats->incr("$this->prefix:a", 1, 60);
        $this->stats->sync();
        $samples = $this->samples((new Prometheus($this->stats, ['pid' => 42]))->render());
        $books = $this->stats->metrics();
        $this->assertGreaterThanOrEqual(2, $books['calls']);
        foreach ($books as $name => $value) {
            $of = in_array($name, ['pending', 'in_flight', 'pending_bytes'], true) ? '' : '_total';
            $this->assertEquals($value, $samples["wrstats_$name$of{pid=\"42\"}"]);
        }
        $this->assertEquals(1, $samples['wrstats_server_up{server="' . getenv('WRSTATS_TEST_SERVER') . '",pid="42"}']);
        $this->assertCount(count($books) + 1, $samples);
    }

    public function testADeadServerIsSaidAndNoRateInvented(): void
    {
        $down = new \WRStats(['servers' => ['127.0.0.1:1']]);
        $samples = $this->samples((new Prometheus($down))->rates(self::SPECS, $this->prefix)->render());
        $this->assertEquals(1, $samples['wrstats_read_failed']);
        $this->assertEquals(0, $samples['wrstats_server_up{server="127.0.0.1:1"}']);
        $this->assertSame([], array_filter(array_keys($samples), fn ($name) => str_contains($name, 'window')));
    }

    public function testLabelsThatAreNotUtf8(): void
    {
        $text = (new Prometheus($this->stats, ['app' => "caf\xe9\n"]))->render();
        $this->assertStringContainsString("app=\"caf\u{fffd}\\n\"", $text);
        $this->samples($text);
    }
}
