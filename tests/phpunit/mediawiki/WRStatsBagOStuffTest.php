<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use WRStats\MediaWiki\WRStatsBagOStuff;

require_once __DIR__ . '/MediaWiki.php';

/** What is WRStatsBagOStuff's alone: nothing waits in the background, one exchange for many, nothing read blindly. */
final class WRStatsBagOStuffTest extends TestCase
{
    private const BACKGROUND = WRStatsBagOStuff::WRITE_BACKGROUND;

    private WRStatsBagOStuff $cache;
    private RawClient $raw;

    protected function setUp(): void
    {
        $this->cache = MediaWiki::ours();
        $this->raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
    }

    private function key(): string
    {
        return $this->cache->makeKey('ours', bin2hex(random_bytes(6)));
    }

    /** @return array<string, array{string, int}> bytes and client flags that can't be a value */
    public static function unreadable(): array
    {
        $zlib = fn (string $text, ?int $size = null) => pack('L', $size ?? strlen($text)) . gzcompress($text);

        return [
            'all flags' => ['value', 0xffffffff],
            'JSON, which is not PECL as MediaWiki sets it up' => ['{}', 6],
            'unknown type' => ['value', 9],
            'broken serialized value' => ['a:1:{i:0;', 4],
            'broken igbinary' => ["\0\0\0\2\x14\5", 5],
            'igbinary that is none' => ['text', 5],
            'compressed in no known way' => [$zlib('text'), 16],
            'zstd' => [$zlib('text'), 16 | 128],
            'compressed, empty' => ['', 16 | 32],
            'compressed, three bytes' => ['abc', 16 | 64],
            'zlib that is none' => [pack('L', 4) . 'text', 16 | 32],
            'zlib of another length' => [$zlib('text', 3), 16 | 32],
            'zlib cut short' => [substr($zlib(str_repeat('text', 100)), 0, -5), 16 | 32],
            'zlib bomb that admits it' => [$zlib('x', 0xffffffff), 16 | 32],
            'zlib bomb that lies' => [$zlib(str_repeat("\0", 50_000_000), 1000), 16 | 32],
            'FastLZ of an unknown level' => [pack('L', 4) . "\xe3text", 16 | 64],
            'FastLZ cut short' => [pack('L', 40) . "\x1ftext", 16 | 64],
            'FastLZ that copies from before the start' => [pack('L', 40) . "\0a\xe0\xff\5", 16 | 64],
            'FastLZ longer than it says' => [pack('L', 5) . "\0a\xe0\xff\0", 16 | 64],
            'FastLZ bomb' => [pack('L', 0x7fffffff) . "\0a" . str_repeat("\xe0\xff\0", 1000), 16 | 64],
        ];
    }

    /** @dataProvider unreadable */
    public function testWhatCannotBeReadIsAMissAndAnError(string $bytes, int $flags): void
    {
        [$key, $good] = [$this->key(), $this->key()];
        $this->raw->set($key, $bytes, 60, $flags);
        $this->cache->set($good, 'good', 60);
        memory_reset_peak_usage();
        $before = memory_get_usage();

        $this->assertFalse($this->cache->get($key));
        $this->assertSame(WRStatsBagOStuff::ERR_UNEXPECTED, $this->cache->getLastError());
        $watchPoint = $this->cache->watchErrors();
        $this->assertSame([$good => 'good'], $this->cache->getMulti([$key, $good]));
        $this->assertSame(WRStatsBagOStuff::ERR_UNEXPECTED, $this->cache->getLastError($watchPoint));

        $this->assertLessThan(2_000_000, memory_get_peak_usage() - $before);
    }

    public function testFlagsOfTheUserAreLeftAlone(): void
    {
        $key = $this->key();
        $this->raw->set($key, '5', 60, 1 | 0xabc0000);
        $this->assertSame(5, $this->cache->get($key));
    }

    public function testALargestSizeForValuesThatAreUnpacked(): void
    {
        $key = $this->key();
        $small = MediaWiki::ours(['segmentedValueMaxSize' => 100_000]);
        $this->cache->set($key, str_repeat('a', 100_000), 60);
        $this->assertSame(100_000, strlen($small->get($key)));
        $this->cache->set($key, str_repeat('a', 100_001), 60);
        $this->assertFalse($small->get($key));
        $this->assertSame(100_001, strlen($this->cache->get($key)));
    }

    public function testManyAtOnceAreOneExchange(): void
    {
        $keys = array_map(fn ($i) => "{$this->key()}:$i", range(1, 100));
        $values = array_combine($keys, array_map(fn ($i) => [$i, "text $i", [$i], $i / 2][$i % 4], range(1, 100)));
        $this->cache->get($this->key());
        foreach ([
            'setMulti' => fn () => $this->cache->setMulti($values, 60),
            'getMulti' => fn () => $this->cache->getMulti($keys) === $values,
            'changeTTLMulti' => fn () => $this->cache->changeTTLMulti($keys, 70),
            'deleteMulti' => fn () => $this->cache->deleteMulti($keys),
        ] as $name => $call) {
            $before = $this->cache->getMetrics();
            $this->assertTrue($call(), $name);
            $after = $this->cache->getMetrics();
            $this->assertSame(1, $after['writes'] - $before['writes'], $name);
        }
    }

    public function testACounterIsOneCommand(): void
    {
        $this->cache->get($this->key());
        $before = $this->cache->getMetrics();
        $this->cache->incrWithInit($this->key(), 60, 2, 5);
        $this->assertSame(1, $this->cache->getMetrics()['commands_sent'] - $before['commands_sent']);
        $this->cache->incrWithInit($this->key(), 60, 2, 5, self::BACKGROUND);
        $this->assertSame(1, $this->cache->getMetrics()['queued'] - $before['queued']);
    }

    public function testNothingWaitsInTheBackground(): void
    {
        $server = Server::tcp();
        $cache = MediaWiki::ours(['servers' => [$server->address]]);
        $values = array_fill_keys(array_map(fn ($i) => $this->cache->makeKey('bg', $i), range(1, 1000)), str_repeat('v', 100));
        $key = array_key_first($values);
        $cache->set($key, 'v', 60);
        $server->pause();

        $before = hrtime(true);
        $this->assertTrue($cache->set($key, 'v', 60, self::BACKGROUND));
        $this->assertTrue($cache->add($key, 'v', 60, self::BACKGROUND));
        $this->assertTrue($cache->delete($key, self::BACKGROUND));
        $this->assertTrue($cache->changeTTL($key, 60, self::BACKGROUND));
        $this->assertTrue($cache->changeTTL($key, -1, self::BACKGROUND));
        $this->assertTrue($cache->incrWithInit("$key:n", 60, 1, 1, self::BACKGROUND));
        $this->assertTrue($cache->setMulti($values, 60, self::BACKGROUND));
        $this->assertTrue($cache->changeTTLMulti(array_keys($values), 60, self::BACKGROUND));
        $this->assertTrue($cache->changeTTLMulti(array_keys($values), time() - 5, self::BACKGROUND));
        $this->assertTrue($cache->deleteMulti(array_keys($values), self::BACKGROUND));
        $this->assertTrue($cache->setMulti($values, -5, self::BACKGROUND));
        $this->assertLessThan(100, (hrtime(true) - $before) / 1e6, 'milliseconds');

        $this->assertSame(0, $cache->getLastError());
        $server->kill();
    }

    public function testABackgroundWriteThatIsRefusedSaysSo(): void
    {
        $cache = MediaWiki::ours(['servers' => [Server::freePort()], 'wrstats' => ['buffer_bytes' => 4096]]);
        for ($i = 0; $i < 500 && $cache->incrWithInit("n:$i", 60, 1, 1, self::BACKGROUND); $i++);
        $this->assertLessThan(500, $i);
        $this->assertNotSame(0, $cache->getLastError());
        $this->assertFalse($cache->setMulti(['a' => 'v', 'b' => str_repeat('v', 1000)], 60, self::BACKGROUND));
    }

    public function testOneKeyTooLongIsNoReasonToLeaveTheOthers(): void
    {
        [$a, $b] = [$this->key(), $this->key()];
        $long = str_repeat('k', 251);
        $this->assertFalse($this->cache->setMulti([$a => 'A', $long => 'L', $b => 'B'], 60));
        $this->assertSame(WRStatsBagOStuff::ERR_UNEXPECTED, $this->cache->getLastError());
        $this->assertSame([$a => 'A', $b => 'B'], $this->cache->getMulti([$a, $long, $b]));
        $this->assertFalse($this->cache->deleteMulti([$long, $a, $b]));
        $this->assertSame([], $this->cache->getMulti([$a, $b]));
    }

    public function testErrorsAreLoggedWithKeyAndServer(): void
    {
        $address = Server::freePort();
        $logger = new class extends \Psr\Log\AbstractLogger {
            public array $errors = [];

            public function log($level, $message, array $context = []): void
            {
                if ($level === 'error') {
                    $this->errors[] = [$message, $context];
                }
            }
        };
        $cache = MediaWiki::ours(['servers' => [$address], 'logger' => $logger]);
        $cache->get('some:key');
        $this->assertCount(1, $logger->errors);
        $this->assertSame('some:key', $logger->errors[0][1]['memcached-key']);
        $this->assertSame($address, $logger->errors[0][1]['memcached-server']);
        $cache->getMulti(['some:key']);
        $this->assertStringContainsString($address, $logger->errors[1][1]['error']);
    }

    public function testIncrementsWithoutRoomForAReply(): void
    {
        $key = $this->key();
        $this->assertFalse($this->cache->incrWithInit($key, 60, -1));
        $this->assertFalse($this->cache->incrWithInit($key, 60, -1, 5, self::BACKGROUND));
        $this->assertFalse($this->cache->incr($key, -1));
        $this->assertFalse($this->cache->get($key));
        // MediaWiki's PECL class would store -1 here, and never count again.
        $this->cache->incrWithInit($key, 60, 1, 0, self::BACKGROUND);
        $this->cache->incrWithInit($key, 60, 1, 0, self::BACKGROUND);
        $this->assertEquals(1, $this->cache->get($key));
    }

    /** @return array<string, array{array}> */
    public static function servers(): array
    {
        $server = getenv('WRSTATS_TEST_SERVER');

        return [
            'list' => [['servers' => [$server]]],
            'with weights' => [['servers' => [[$server, 3]]]],
            'not persistent' => [['persistent' => false]],
            'classic protocol' => [['wrstats' => ['protocol' => 'classic']]],
            'PECL\'s other parameters' => [[
                'use_binary_protocol' => true, 'allow_tcp_nagle_delay' => true, 'server_failure_limit' => 3, 'retry_timeout' => 5,
            ]],
        ];
    }

    /** @dataProvider servers */
    public function testParameters(array $params): void
    {
        $cache = MediaWiki::ours($params);
        $key = $this->key();
        $this->assertTrue($cache->set($key, [1], 60));
        $this->assertSame([1], $cache->get($key));
        $this->assertSame([1], $this->cache->get($key));
    }

    public function testASocket(): void
    {
        $server = Server::unix();
        foreach ([$server->address, "$server->address:0"] as $address) {
            $cache = MediaWiki::ours(['servers' => [$address]]);
            $this->assertTrue($cache->set('k', 'v', 60));
            $this->assertSame('v', $server->raw()->get('k'));
        }
        $server->kill();
    }

    public function testAnUnknownSerializer(): void
    {
        $this->expectException(\RuntimeException::class);
        MediaWiki::ours(['serializer' => 'json']);
    }
}
