<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use Psr\SimpleCache\InvalidArgumentException;
use WRStats\Psr16\Cache;

require_once 'Psr/SimpleCache/autoload.php';

/** The bridge to PSR-16 keeps what that asks for. */
final class Psr16Test extends TestCase
{
    private Cache $cache;
    private \WRStats $stats;

    protected function setUp(): void
    {
        $this->stats = new \WRStats([
            'servers' => [getenv('WRSTATS_TEST_SERVER')], 'prefix' => 'psr16-' . bin2hex(random_bytes(6)) . ':',
        ]);
        $this->cache = new Cache($this->stats);
    }

    /** @return iterable<string, array{mixed}> */
    public function values(): iterable
    {
        yield 'text' => ["text \x00 \xff \r\n"];
        yield 'empty text' => [''];
        yield 'digits stay text' => ['42'];
        yield 'int' => [42];
        yield 'longest int' => [PHP_INT_MIN];
        yield 'float' => [1.0];
        yield 'float with many digits' => [0.1 + 0.2];
        yield 'infinite' => [-INF];
        yield 'true' => [true];
        yield 'false' => [false];
        yield 'null' => [null];
        yield 'array' => [['a' => [1, 2.5, null], 7 => 'x']];
        yield 'object' => [(object)['a' => 1]];
    }

    /** @dataProvider values */
    public function testAValueComesBackAsItWas(mixed $value): void
    {
        $this->assertTrue($this->cache->set('value', $value));
        $this->assertEquals($value, $this->cache->get('value', 'the default'));
        $this->assertSame(get_debug_type($value), get_debug_type($this->cache->get('value', 'the default')));
        $this->assertTrue($this->cache->has('value'));
    }

    public function testWhatIsMissingIsTheDefault(): void
    {
        $this->assertNull($this->cache->get('missing'));
        $this->assertSame('instead', $this->cache->get('missing', 'instead'));
        $this->assertFalse($this->cache->has('missing'));
    }

    public function testManyAtOnce(): void
    {
        $some = (static function () {
            yield 'a' => 1;
            yield 'b' => 'two';
            yield '7' => null;
        })();
        $this->assertTrue($this->cache->setMultiple($some));
        $this->assertSame(
            ['b' => 'two', 'missing' => 'instead', 'a' => 1, 7 => null],
            $this->cache->getMultiple(new \ArrayIterator(['b', 'missing', 'a', '7']), 'instead'),
        );
        $this->assertTrue($this->cache->deleteMultiple(['a', 'b', 'missing']));
        $this->assertSame(['a' => null, 'b' => null], $this->cache->getMultiple(['a', 'b']));
    }

    public function testDelete(): void
    {
        $this->cache->set('a', 1);
        $this->assertTrue($this->cache->delete('a'));
        $this->assertFalse($this->cache->has('a'));
        $this->assertTrue($this->cache->delete('a'), 'not there is as good as deleted');
    }

    public function testTimesToLive(): void
    {
        $this->cache->set('second', 'x', 1);
        $this->cache->set('interval', 'x', new \DateInterval('PT1S'));
        $this->cache->set('long', 'x', 40 * 86400);
        (new Cache($this->stats, 1))->set('default', 'x');
        $all = ['second', 'interval', 'long', 'default'];
        $this->assertSame(array_fill_keys($all, 'x'), $this->cache->getMultiple($all));
        usleep(2_100_000);
        $this->assertSame(
            ['second' => null, 'interval' => null, 'long' => 'x', 'default' => null],
            $this->cache->getMultiple($all),
        );
    }

    public function testATimeToLiveThatIsOverDeletes(): void
    {
        foreach ([0, -1] as $ttl) {
            $this->cache->set('a', 1);
            $this->assertTrue($this->cache->set('a', 2, $ttl));
            $this->assertFalse($this->cache->has('a'));
        }
    }

    /** @return iterable<string, array{mixed}> */
    public function badKeys(): iterable
    {
        yield 'empty' => [''];
        yield 'reserved' => ['a:b'];
        yield 'space' => ['a b'];
        yield 'too long' => [str_repeat('k', 251)];
        yield 'no string' => [7];
        yield 'null' => [null];
    }

    /** @dataProvider badKeys */
    public function testABadKeyIsNamedInEveryCall(mixed $key): void
    {
        $calls = [
            fn () => $this->cache->get($key),
            fn () => $this->cache->set($key, 1),
            fn () => $this->cache->delete($key),
            fn () => $this->cache->has($key),
            fn () => $this->cache->getMultiple([$key]),
            fn () => $this->cache->deleteMultiple([$key]),
        ];
        foreach ($calls as $number => $call) {
            try {
                $call();
                $this->fail("call $number let it pass");
            } catch (InvalidArgumentException $thrown) {
                $this->assertNotSame('', $thrown->getMessage());
            }
        }
    }

    public function testAServerThatIsDownIsAMissAndFalse(): void
    {
        $cache = new Cache(new \WRStats(['servers' => ['127.0.0.1:1']]));
        $this->assertSame('instead', $cache->get('a', 'instead'));
        $this->assertFalse($cache->set('a', 1));
        $this->assertFalse($cache->delete('a'));
        $this->assertFalse($cache->has('a'));
    }

    public function testClearDoesNotPretend(): void
    {
        $this->cache->set('a', 1);
        $this->assertFalse($this->cache->clear());
        $this->assertTrue($this->cache->has('a'));
    }

    public function testPeclMemcachedReadsItAndIsRead(): void
    {
        [$host, $port] = explode(':', getenv('WRSTATS_TEST_SERVER'));
        $pecl = new \Memcached();
        $pecl->addServer($host, (int)$port);
        $prefix = 'both-' . bin2hex(random_bytes(6)) . '-';
        $cache = new Cache(new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')], 'prefix' => $prefix]));
        $values = ['i' => 42, 's' => 'text', 'f' => 1.5, 't' => true, 'n' => null, 'a' => [1, ['x' => null]],
            'large' => str_repeat('easily compressed ', 5000)];
        foreach ($values as $key => $value) {
            $cache->set("w$key", $value);
            $this->assertSame($value, $pecl->get("{$prefix}w$key"), "$key, read by PECL");
            $pecl->set("{$prefix}p$key", $value);
            $this->assertSame($value, $cache->get("p$key"), "$key, written by PECL");
        }
        foreach ([\Memcached::COMPRESSION_ZLIB, \Memcached::COMPRESSION_FASTLZ] as $type) {
            $pecl->setOption(\Memcached::OPT_COMPRESSION_TYPE, $type);
            $pecl->set("{$prefix}z$type", $values['large']);
            $this->assertSame($values['large'], $cache->get("z$type"), 'compressed');
        }
    }

    public function testWhatCannotBeReadIsAMiss(): void
    {
        $this->stats->set('unknown', 'x', 60, 9);
        $this->stats->set('broken', 'no serialization', 60, 4);
        $this->assertSame('instead', $this->cache->get('unknown', 'instead'));
        $this->assertSame('instead', $this->cache->get('broken', 'instead'));
    }
}
