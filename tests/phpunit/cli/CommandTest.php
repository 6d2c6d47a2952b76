<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;

/** The command bin/wrstats, as a shell sees it: what it prints, where, and how it ends. */
final class CommandTest extends TestCase
{
    private const EDITS = ['edits' => ['sequences' => [['timeStep' => 10, 'expiry' => 600]]]];
    private string $prefix;

    protected function setUp(): void
    {
        $this->prefix = 'cli' . bin2hex(random_bytes(6));
    }

    /**
     * @param list<string> $arguments
     * @return array{int, string, string} exit code, stdout, stderr
     */
    private function wrstats(array $arguments, array $environment = []): array
    {
        $extension = getenv('WRSTATS_EXTENSION') ?: __DIR__ . '/../../../target/release/libwrstats.so';
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', 'wrstats.servers=' . getenv('WRSTATS_TEST_SERVER'),
            __DIR__ . '/../../../bin/wrstats', ...$arguments];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes, null,
            $environment + getenv());
        $out = stream_get_contents($pipes[1]);
        $err = stream_get_contents($pipes[2]);

        return [proc_close($process), $out, $err];
    }

    private function json(array $arguments, int $code = 0): array
    {
        [$status, $out, $err] = $this->wrstats([...$arguments, '--json']);
        $this->assertSame([$code, 1], [$status, substr_count($out, "\n")], $out . $err);

        return json_decode($out, true, flags: JSON_THROW_ON_ERROR);
    }

    private function counted(array $counts): void
    {
        $stats = new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
        $writer = $stats->createWriter(self::EDITS, $this->prefix);
        foreach ($counts as $entity => $count) {
            $writer->incr('edits', $entity === '' ? null : [$entity], $count);
        }
        $writer->flush();
        $this->assertTrue($stats->sync());
    }

    public function testHelpNamesEveryCommandAndIsNoError(): void
    {
        foreach ([['--help'], ['-h'], ['help'], ['read', '--help']] as $arguments) {
            [$status, $out, $err] = $this->wrstats($arguments);
            $this->assertSame([0, ''], [$status, $err]);
            foreach (['status', 'read', 'watch', 'reset', 'limit', '--json', 'Exit code'] as $word) {
                $this->assertStringContainsString($word, $out);
            }
        }
        $this->assertSame([0, 'wrstats ' . \WRStats::VERSION . "\n", ''], $this->wrstats(['--version']));
    }

    /** @return iterable<string, array{list<string>, string}> */
    public function wrongUsage(): iterable
    {
        yield 'nothing' => [[], 'say what to do: status, read, watch, reset, limit'];
        yield 'no command' => [['stat'], 'there is no command "stat"'];
        yield 'no option' => [['read', '--windw=5'], 'did you mean --window?'];
        yield 'option of another command' => [['status', '--window=5'], 'no option --window'];
        yield 'value missing' => [['read', '--window'], '--window needs a value'];
        yield 'value too much' => [['status', '--json=1'], '--json takes no value'];
        yield 'no seconds' => [['read', '--metric=a', '--window=soon'], '"soon" given'];
        yield 'no metric' => [['read'], 'no metric is described'];
        yield 'other metric' => [['read', '--metric=edits', 'edit'], 'no metric is called "edit"; described are: edits'];
        yield 'bad metric' => [['read', '--metric=a:stp=1'], '"stp" is none of step, expiry, resolution'];
        yield 'bad step' => [['read', '--metric=a:step=0'], 'timeStep'];
        yield 'bad server' => [['status', '--servers=a:b:c:d'], 'servers'];
        yield 'no file' => [['status', '--config=/nonexistent'], "can't be read"];
        yield 'no condition' => [['limit'], 'name one condition'];
        yield 'no number' => [['limit', 'a', '--limit=2x', '--window=60'], '--limit must be a whole number from 0, "2x" given'];
        yield 'number too high' => [['limit', 'a', '--limit=99999999999999999999', '--window=60'], '--limit must be a whole'];
        yield 'negative number' => [['watch', '--metric=a', '--count=-1'], '--count must be a whole number from 0'];
        yield 'nothing limits it' => [['limit', 'login'], 'nothing describes "login"'];
        yield 'take and forget' => [['limit', 'a', '--take', '--forget'], 'not both'];
        yield 'reset what' => [['reset', '--yes'], 'name what is to be deleted'];
        yield 'reset unasked' => [['reset', 'a', '--metric=a'], 'nothing was deleted'];
    }

    /** @dataProvider wrongUsage */
    public function testWrongUsageIsExplainedOnStderrAndEndsInTwo(array $arguments, string $message): void
    {
        [$status, $out, $err] = $this->wrstats($arguments);
        $this->assertSame([2, ''], [$status, $out]);
        $this->assertStringStartsWith('wrstats: ', $err);
        $this->assertStringContainsString($message, $err);
        $this->assertSame(1, substr_count($err, "\n"), 'one line');
    }

    public function testStatus(): void
    {
        $server = getenv('WRSTATS_TEST_SERVER');
        [$status, $out, $err] = $this->wrstats(['status']);
        $this->assertSame([0, ''], [$status, $err]);
        $this->assertMatchesRegularExpression('/^' . preg_quote($server) . ' +up +meta +1\.\S+ +1 +\d+\.\d{3} ms$/m', $out);
        $this->assertStringNotContainsString("\e", $out, 'plain where there is no terminal');

        $answer = $this->json(['status']);
        $this->assertTrue($answer['ok']);
        $this->assertSame([$server, 'meta'], [$answer['servers'][0]['server'], $answer['servers'][0]['dialect']]);
        $this->assertGreaterThan(0, $answer['servers'][0]['latency']);
        $this->assertLessThan(0.5, $answer['servers'][0]['latency']);
    }

    public function testStatusWithADeadServer(): void
    {
        $both = '--servers=127.0.0.1:1,' . getenv('WRSTATS_TEST_SERVER');
        [$status, $out, $err] = $this->wrstats(['status', $both]);
        $this->assertSame([1, "wrstats: 127.0.0.1:1: connection refused; is memcached running there?\n"], [$status, $err]);
        $this->assertMatchesRegularExpression('/^127\.0\.0\.1:1 +down .*-$/m', $out);
        $this->assertMatchesRegularExpression('/ up +meta /', $out);

        $answer = $this->json(['status', $both], 1);
        $this->assertFalse($answer['ok']);
        $this->assertSame([null, 'connection refused; is memcached running there?'], [$answer['servers'][0]['latency'], $answer['servers'][0]['error']]);
        $this->assertSame('up', $answer['servers'][1]['latency'] > 0 ? 'up' : 'down');
    }

    public function testRead(): void
    {
        $this->counted(['' => 6, 'dewiki' => 3]);
        $how = ["--prefix=$this->prefix", '--metric=edits:step=10,expiry=600', '--window=60'];
        [$status, $out, $err] = $this->wrstats(['read', ...$how, 'edits', 'edits@dewiki']);
        $this->assertSame([0, ''], [$status, $err]);
        $this->assertMatchesRegularExpression('/^last 60 s +total +per second +per minute +per hour +per day$/m', $out);
        $this->assertMatchesRegularExpression('/^edits +6 +0\.100 +6\.000 +360\.0 +8640$/m', $out);
        $this->assertMatchesRegularExpression('/^edits@dewiki +3 +0\.050 /m', $out);

        $answer = $this->json(['read', ...$how, 'edits', 'edits@dewiki', 'edits@@dewiki']);
        $this->assertSame([6, 3, 0], array_column($answer['metrics'], 'total'));
        $this->assertSame([[], ['dewiki'], ['dewiki']], array_column($answer['metrics'], 'entity'));
        $this->assertSame([false, false, true], array_column($answer['metrics'], 'global'));
        $this->assertEquals([0.1, 0.05, 0], array_column($answer['metrics'], 'per_second'));
        $this->assertSame('edits', $this->json(['read', ...$how])['metrics'][0]['metric'], 'all of them by default');
    }

    public function testReadFromADeadServer(): void
    {
        $this->assertSame(
            [1, '', "wrstats: 127.0.0.1:1: connection refused; is memcached running there?\n"],
            $this->wrstats(['read', '--metric=edits', '--servers=127.0.0.1:1']),
        );
    }

    public function testAFileDescribesItAll(): void
    {
        $this->counted(['' => 7]);
        $sections = ['connection' => ['servers' => [getenv('WRSTATS_TEST_SERVER')]], 'prefix' => $this->prefix,
            'metrics' => self::EDITS, 'limits' => ['login' => ['limit' => 1, 'window' => 60]]];
        $base = sys_get_temp_dir() . "/$this->prefix";
        file_put_contents("$base.php", '<?php return ' . var_export($sections, true) . ';');
        file_put_contents("$base.json", json_encode($sections));
        file_put_contents("$base-bad.json", '{"metric": {}}');
        file_put_contents("$base-half.json", '{"metrics": ');
        file_put_contents("$base-half.php", "<?php\nreturn [");
        file_put_contents("$base-throws.php", "<?php\n\nthrow new Exception('not today');");
        try {
            foreach (["$base.php", "$base.json"] as $file) {
                $this->assertSame(7, $this->json(['read', "--config=$file"])['metrics'][0]['total']);
            }
            [, $out] = $this->wrstats(['read', '--json'], ['WRSTATS_CONFIG' => "$base.php"]);
            $this->assertStringContainsString('"total":7', $out);
            $this->assertTrue($this->json(['limit', 'login', "--config=$base.json", '--take'])['allowed']);
            $this->assertFalse($this->json(['limit', 'login', "--config=$base.json", '--take'], 3)['allowed']);
            [$status, , $err] = $this->wrstats(['status', "--config=$base-bad.json"]);
            $this->assertSame(2, $status);
            $this->assertStringContainsString('"metric" is none of connection, prefix, metrics', $err);
            foreach ([
                "$base-half.json" => 'Syntax error (wr',
                "$base-half.php" => "Unclosed '[' ($base-half.php line 2)",
                "$base-throws.php" => "not today ($base-throws.php line 3)",
            ] as $file => $why) {
                [$status, $out, $err] = $this->wrstats(['status', "--config=$file"]);
                $this->assertSame([2, '', 1], [$status, $out, substr_count($err, "\n")]);
                $this->assertStringStartsWith("wrstats: --config: $file: $why", $err);
            }
        } finally {
            array_map(unlink(...), glob("$base*"));
        }
    }

    public function testWatch(): void
    {
        $this->counted(['' => 6]);
        $how = ["--prefix=$this->prefix", '--metric=edits:step=10,expiry=600', '--interval=0.1'];
        [$status, $out, $err] = $this->wrstats(['watch', ...$how, '--count=3']);
        $this->assertSame([0, ''], [$status, $err]);
        $this->assertMatchesRegularExpression('/^(\d{4}-\d\d-\d\dT\S+ edits 0\.100\/s 6\n){3}$/', $out);

        $from = microtime(true);
        [$status, $out] = $this->wrstats(['watch', ...$how, '--count=3', '--json']);
        $this->assertGreaterThan(0.2, microtime(true) - $from, 'an interval lies between readings');
        $lines = array_map(fn ($line) => json_decode($line, true), explode("\n", rtrim($out)));
        $this->assertSame([0, 3, 6], [$status, count($lines), $lines[1]['metrics'][0]['total']]);
        $this->assertGreaterThan($lines[1]['time'], $lines[2]['time']);

        [$status, $out, $err] = $this->wrstats(['watch', ...$how, '--count=2', '--servers=127.0.0.1:1']);
        $this->assertSame([1, '', 2], [$status, $out, substr_count($err, "\n")], 'it goes on, and says so each time');
    }

    public function testReset(): void
    {
        $this->counted(['' => 6, 'dewiki' => 3]);
        $how = ["--prefix=$this->prefix", '--metric=edits:step=10,expiry=600'];
        $this->assertSame([0, "deleted: edits@dewiki\n", ''], $this->wrstats(['reset', 'edits@dewiki', ...$how, '--yes']));
        $totals = array_column($this->json(['read', ...$how, 'edits', 'edits@dewiki'])['metrics'], 'total');
        $this->assertSame([6, 0], $totals);
        $this->assertSame(['reset' => ['edits']], $this->json(['reset', 'edits', ...$how, '--yes']));
        $this->assertSame(0, $this->json(['read', ...$how])['metrics'][0]['total']);
        [$status, $out, $err] = $this->wrstats(['reset', 'edits', ...$how, '--yes', '--servers=127.0.0.1:1']);
        $this->assertSame([1, ''], [$status, $out]);
        $this->assertStringContainsString('not everything was deleted', $err);
    }

    /**
     * @testWith [[]]
     *           [["--strict"]]
     */
    public function testLimit(array $mode): void
    {
        $how = ["--prefix=$this->prefix", '--limit=2', '--window=60', 'login@10.0.0.1', ...$mode];
        $this->assertSame([0, "login@10.0.0.1: allowed; 0 of 2 used in 60 s\n", ''], $this->wrstats(['limit', ...$how]));
        $this->assertSame([0, "login@10.0.0.1: allowed; 1 of 2 used in 60 s\n", ''], $this->wrstats(['limit', ...$how, '--take']));
        $this->assertTrue($this->json(['limit', ...$how, '--take'])['allowed']);
        [$status, $out, $err] = $this->wrstats(['limit', ...$how, '--take']);
        $this->assertSame([3, ''], [$status, $err]);
        $this->assertMatchesRegularExpression('/^login@10.0.0.1: refused; 2 of 2 used in 60 s, again in [56]\d\.\d s$/', $out);
        $answer = $this->json(['limit', ...$how], 3);
        $this->assertSame([2, 2, 0, ['10.0.0.1']], [$answer['limit'], $answer['used'], $answer['remaining'], $answer['entity']]);
        $this->assertNull($this->json(['limit', ...$how, '--amount=3'], 3)['retry_after']);
        $this->assertSame([0, "login@10.0.0.1: allowed; 0 of 2 used in 60 s\n", ''], $this->wrstats(['limit', ...$how, '--forget']));
    }

    public function testForgettingWhatABatchHasCounted(): void
    {
        $stats = new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
        $limiter = $stats->createRateLimiter(['login' => ['limit' => 1, 'window' => 60]], $this->prefix);
        $take = fn () => $limiter->createBatch()->localOp('login', 'x')->tryIncr()->isAllowed();
        $this->assertSame([true, false], [$take(), $take()]);
        $this->wrstats(['limit', 'login@x', "--prefix=$this->prefix", '--limit=1', '--window=60', '--forget']);
        $this->assertTrue($take());
    }

    public function testOnATerminalItIsRedrawnWithSparklines(): void
    {
        $this->counted(['' => 6]);
        $extension = getenv('WRSTATS_EXTENSION') ?: realpath(__DIR__ . '/../../../target/release/libwrstats.so');
        $command = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', "extension=$extension",
            '-d', 'wrstats.servers=' . getenv('WRSTATS_TEST_SERVER'), realpath(__DIR__ . '/../../../bin/wrstats'), 'watch',
            "--prefix=$this->prefix", '--metric=edits:step=10,expiry=600', '--interval=0.1', '--count=3']));
        exec('NO_COLOR= script -qec ' . escapeshellarg($command) . ' /dev/null < /dev/null', $lines, $status);
        $out = implode("\n", $lines);
        $this->assertSame(0, $status);
        $this->assertSame(2, substr_count($out, "\e[2A\e[J"), 'drawn over twice');
        $this->assertMatchesRegularExpression('/edits +0\.100 +6\.000 +6 +█{3}\s*$/u', $out);
        $this->assertStringNotContainsString("\e[1m", $out, 'NO_COLOR is heeded');
    }
}
