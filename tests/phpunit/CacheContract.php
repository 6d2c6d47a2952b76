<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;

/**
 * What MediaWiki's BagOStuff documents of a cache on memcached, case by case. Every cache that is to be exchanged for
 * another has a subclass; all have the same expectations.
 *
 * Counters are compared as numbers: one that memcached made itself has no type, and reads as a numeric string.
 */
abstract class CacheContract extends TestCase
{
    protected const WRITE_ALLOW_SEGMENTS = 16;
    protected const WRITE_PRUNE_SEGMENTS = 32;
    protected const WRITE_BACKGROUND = 64;
    protected const ERR_NONE = 0;
    protected const ERR_NO_RESPONSE = 1;
    protected const ERR_UNREACHABLE = 2;
    protected const ERR_UNEXPECTED = 3;

    protected object $cache;
    protected RawClient $raw;

    /** A new cache object on the server of the tests, unless the params say otherwise. */
    abstract protected function newCache(array $params = []): object;

    protected function setUp(): void
    {
        $this->cache = $this->newCache();
        $this->raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
    }

    /** A key that no other test uses. */
    protected function key(string|int ...$components): string
    {
        return $this->cache->makeKey('contract', bin2hex(random_bytes(6)), ...$components);
    }

    /** @return string[] */
    protected function keys(int $count): array
    {
        return array_map(fn () => $this->key(), range(1, $count));
    }

    protected function assertNoError(int $watchPoint = 0): void
    {
        $this->assertSame(self::ERR_NONE, $this->cache->getLastError($watchPoint));
    }

    /** @return array<string, array{mixed}> */
    public static function values(): array
    {
        return array_map(fn ($value) => [$value], self::valuesByName());
    }

    public static function valuesByName(): array
    {
        $object = (object)['a' => 1, 'list' => [1.5, null]];

        return [
            'null' => null,
            'true' => true,
            'int' => 5,
            'zero' => 0,
            'negative int' => -7,
            'PHP_INT_MIN' => PHP_INT_MIN,
            'PHP_INT_MAX' => PHP_INT_MAX,
            'float' => 1.5,
            'a tenth' => 0.1,
            'INF' => INF,
            '-INF' => -INF,
            '-0.0' => -0.0,
            '1e100' => 1e100,
            'smallest float' => 5e-324,
            'largest float' => PHP_FLOAT_MAX,
            'string' => 'text',
            'empty string' => '',
            'binary string' => "\0\xff\r\nEND\r\n",
            'string of every byte' => implode('', array_map('chr', range(0, 255))),
            'numeric-looking string' => '123',
            'numeric-looking string with zeros' => '007',
            'string false' => 'b:0;',
            'empty array' => [],
            'list' => [1, 'two', 3.0, null, false],
            'map' => ['a' => ['b' => ['c' => 'd']], '1' => 'one'],
            'object' => $object,
            'array of the same object twice' => [$object, $object],
            'long string that compresses' => str_repeat('MediaWiki is free software. ', 400),
            'long string of one letter' => str_repeat('a', 100_000),
            'long string that does not compress' => hash_hkdf('sha256', 'fixed', 5000),
            'long string with long repeats' => str_repeat(hash_hkdf('sha256', 'fixed', 7000), 20) . 'end',
            'long array that compresses' => array_fill(0, 2000, ['key' => 'value', 'n' => 12]),
            'text above 64 KiB' => implode(' ', array_map(fn ($n) => "word$n " . md5((string)($n % 700)), range(1, 8000))),
        ];
    }

    // ---- reading and writing ----

    public function testMissingIsFalseAndNoError(): void
    {
        $this->assertFalse($this->cache->get($this->key()));
        $this->assertSame([], $this->cache->getMulti($this->keys(3)));
        $this->assertNoError();
    }

    /** @dataProvider values */
    public function testReadsBackWhatWasSet(mixed $value): void
    {
        $key = $this->key();
        $this->assertTrue($this->cache->set($key, $value, 60));
        // serialize: -0.0 is equal to 0.0, and two objects are equal without being one.
        $this->assertSame(serialize($value), serialize($this->cache->get($key)));
        $this->assertSame(serialize([$key => $value]), serialize($this->cache->getMulti([$key])));
        $this->assertNoError();
    }

    public function testFalseCannotBeToldFromMissing(): void
    {
        $key = $this->key();
        $this->assertTrue($this->cache->set($key, false, 60));
        $this->assertFalse($this->cache->get($key));
        $this->assertSame([], $this->cache->getMulti([$key]));
        $this->assertNoError();
    }

    public function testSetReplaces(): void
    {
        $key = $this->key();
        $this->cache->set($key, 'one', 60);
        $this->assertTrue($this->cache->set($key, [2], 60));
        $this->assertSame([2], $this->cache->get($key));
    }

    public function testAddOnlyWhereNothingIs(): void
    {
        $key = $this->key();
        $this->assertTrue($this->cache->add($key, 'one', 60));
        $this->assertFalse($this->cache->add($key, 'two', 60));
        $this->assertSame('one', $this->cache->get($key));
        $this->assertNoError();
    }

    public function testDeleteOfWhatIsAndOfWhatIsNot(): void
    {
        $key = $this->key();
        $this->cache->set($key, 'v', 60);
        $this->assertTrue($this->cache->delete($key));
        $this->assertFalse($this->cache->get($key));
        $this->assertTrue($this->cache->delete($key));
        $this->assertNoError();
    }

    public function testGetMultiHasTheOrderAskedFor(): void
    {
        [$a, $b, $c, $missing] = $this->keys(4);
        $this->cache->set($a, 'A', 60);
        $this->cache->set($b, 2, 60);
        $this->cache->set($c, ['C'], 60);
        $this->assertSame([$c => ['C'], $a => 'A', $b => 2], $this->cache->getMulti([$c, $missing, $a, $b]));
        $this->assertSame([$a => 'A'], $this->cache->getMulti(['name' => $a, 'again' => $a]));
        $this->assertSame([], $this->cache->getMulti([]));
    }

    public function testKeysThatLookLikeNumbers(): void
    {
        $key = (string)random_int(10 ** 9, 10 ** 10);
        $this->assertTrue($this->cache->setMulti([$key => 'v'], 60));
        $this->assertSame('v', $this->cache->get($key));
        $this->assertSame([(int)$key => 'v'], $this->cache->getMulti([$key]));
        $this->assertTrue($this->cache->deleteMulti([$key]));
    }

    /** @dataProvider flags */
    public function testManyAtOnce(int $flags): void
    {
        $values = array_combine($this->keys(count(self::valuesByName())), self::valuesByName());
        $this->assertTrue($this->cache->setMulti($values, 60, $flags));
        $found = $this->cache->getMulti(array_keys($values));
        $this->assertSame(array_map('serialize', $values), array_map('serialize', $found));
        $this->assertTrue($this->cache->changeTTLMulti(array_keys($values), 600, $flags));
        $this->cache->get(array_key_last($values));
        foreach (array_keys($values) as $key) {
            $this->assertEqualsWithDelta(600, $this->raw->ttl($key), 2);
        }
        $this->assertTrue($this->cache->deleteMulti([...array_keys($values), $this->key()], $flags));
        $this->assertSame([], $this->cache->getMulti(array_keys($values)));
        $this->assertNoError();
    }

    /** @dataProvider flags */
    public function testOneByOne(int $flags): void
    {
        $key = $this->key();
        $this->assertTrue($this->cache->set($key, 'v', 60, $flags));
        $this->assertSame('v', $this->cache->get($key));
        $this->assertTrue($this->cache->changeTTL($key, 600, $flags));
        $this->assertSame('v', $this->cache->get($key));
        $this->assertEqualsWithDelta(600, $this->raw->ttl($key), 2);
        $this->assertTrue($this->cache->delete($key, $flags));
        $this->assertFalse($this->cache->get($key));
        $this->assertTrue($this->cache->add($key, 'w', 60, $flags));
        $this->assertSame('w', $this->cache->get($key));
        $this->assertNoError();
    }

    public static function flags(): array
    {
        return ['waiting' => [0], 'in the background' => [self::WRITE_BACKGROUND]];
    }

    public function testGetWithSetCallback(): void
    {
        $key = $this->key();
        $calls = 0;
        $make = function (&$ttl) use (&$calls) {
            $ttl = 100;

            return 'made ' . ++$calls;
        };
        $this->assertSame('made 1', $this->cache->getWithSetCallback($key, 60, $make));
        $this->assertSame('made 1', $this->cache->getWithSetCallback($key, 60, $make));
        $this->assertEqualsWithDelta(100, $this->raw->ttl($key), 2);
    }

    public function testWhatIsTooLargeIsNotStored(): void
    {
        $key = $this->key();
        $this->assertFalse($this->cache->set($key, random_bytes(2_000_000), 60));
        $this->assertSame(self::ERR_UNEXPECTED, $this->cache->getLastError());
        $this->assertFalse($this->cache->get($key));
    }

    // ---- expiry ----

    /** @return array<string, array{int|float, int|null}> what is given, and the seconds that are left then; null: gone */
    public static function expiries(): array
    {
        $month = 30 * 86400;

        return [
            'never' => [0, -1],
            'an hour' => [3600, 3600],
            '30 days' => [$month, $month],
            'more than 30 days are cut to that' => [$month + 1, $month],
            'nine years too' => [9 * 365 * 86400, $month],
            'a time, as an int' => ['in 500', 500],
            'a time more than 30 days away' => ['in 5000000', 5_000_000],
            'a time in the past' => ['in -10', null],
            'negative' => [-5, null],
        ];
    }

    private function expiry(int|string $given): int
    {
        return is_int($given) ? $given : time() + (int)substr($given, strlen('in '));
    }

    private function assertTtl(?int $seconds, string $key): void
    {
        $left = $this->raw->ttl($key);
        if ($seconds === null) {
            $this->assertNull($left);
        } else {
            $this->assertEqualsWithDelta($seconds, $left, 2);
        }
    }

    /** @dataProvider expiries */
    public function testExpiryOfSet(int|string $given, ?int $left): void
    {
        $key = $this->key();
        $this->cache->set($key, 'old', 7);
        $this->assertTrue($this->cache->set($key, 'v', $this->expiry($given)));
        $this->assertTtl($left, $key);
        $this->assertSame($left === null ? false : 'v', $this->cache->get($key));
    }

    /** @dataProvider expiries */
    public function testExpiryOfAdd(int|string $given, ?int $left): void
    {
        $key = $this->key();
        $this->assertTrue($this->cache->add($key, 'v', $this->expiry($given)));
        $this->assertTtl($left, $key);
        $taken = $this->key();
        $this->cache->set($taken, 'old', 60);
        $this->assertFalse($this->cache->add($taken, 'v', $this->expiry($given)));
        $this->assertSame('old', $this->cache->get($taken));
    }

    /** @dataProvider expiries */
    public function testExpiryOfSetMulti(int|string $given, ?int $left): void
    {
        $keys = $this->keys(2);
        $this->assertTrue($this->cache->setMulti(array_fill_keys($keys, 'v'), $this->expiry($given)));
        $this->assertTtl($left, $keys[0]);
        $this->assertTtl($left, $keys[1]);
    }

    /** @dataProvider expiries */
    public function testExpiryOfChangeTTL(int|string $given, ?int $left): void
    {
        $key = $this->key();
        $this->cache->set($key, 'v', 7);
        $this->assertTrue($this->cache->changeTTL($key, $this->expiry($given)));
        $this->assertTtl($left, $key);
        $this->assertFalse($this->cache->changeTTL($this->key(), $this->expiry($given)));
        $this->assertNoError();
    }

    /** @dataProvider expiries */
    public function testExpiryOfChangeTTLMulti(int|string $given, ?int $left): void
    {
        $keys = $this->keys(2);
        $this->cache->setMulti(array_fill_keys($keys, 'v'), 7);
        $this->assertTrue($this->cache->changeTTLMulti($keys, $this->expiry($given)));
        $this->assertTtl($left, $keys[0]);
        $this->assertTtl($left, $keys[1]);
        $this->cache->set($keys[0], 'v', 7);
        $this->assertFalse($this->cache->changeTTLMulti([$keys[0], $this->key()], $this->expiry($given)));
        $this->assertTtl($left, $keys[0]);
        $this->assertNoError();
    }

    /** @dataProvider expiries */
    public function testExpiryOfIncrWithInit(int|string $given, ?int $left): void
    {
        $key = $this->key();
        $this->assertSame(3, $this->cache->incrWithInit($key, $this->expiry($given), 3));
        $this->assertTtl($left, $key);
    }

    // ---- counters ----

    public function testIncrWithInitMakesAtInitThenAdds(): void
    {
        $key = $this->key();
        $this->assertSame(10, $this->cache->incrWithInit($key, 60, 3, 10));
        $this->assertSame(13, $this->cache->incrWithInit($key, 3600, 3, 10));
        $this->assertEquals(13, $this->cache->get($key));
        $this->assertEquals([$key => 13], $this->cache->getMulti([$key]));
        $this->assertEqualsWithDelta(60, $this->raw->ttl($key), 2, 'the first expiry stays');
    }

    public function testIncrWithInitMakesAtTheStepByDefault(): void
    {
        $key = $this->key();
        $this->assertSame(1, $this->cache->incrWithInit($key, 60));
        $this->assertSame(2, $this->cache->incrWithInit($key, 60));
        $other = $this->key();
        $this->assertSame(5, $this->cache->incrWithInit($other, 60, 5));
        $this->assertSame(10, $this->cache->incrWithInit($other, 60, 5));
    }

    public function testIncrWithInitInTheBackground(): void
    {
        $key = $this->key();
        for ($i = 0; $i < 50; $i++) {
            $this->assertTrue($this->cache->incrWithInit($key, 60, 2, 2, self::WRITE_BACKGROUND));
        }
        $this->assertEquals(100, $this->cache->get($key));
        $this->assertEqualsWithDelta(60, $this->raw->ttl($key), 2);
        $this->assertNoError();
    }

    public function testCountingOnAnIntThatWasSet(): void
    {
        $key = $this->key();
        $this->cache->set($key, 100, 60);
        $this->assertSame(101, $this->cache->incrWithInit($key, 60));
        $this->assertSame(101, $this->cache->get($key), 'it stays an int');
    }

    public function testCountingOnWhatIsNoNumber(): void
    {
        $key = $this->key();
        $this->cache->set($key, 'text', 60);
        $this->assertFalse($this->cache->incrWithInit($key, 60));
        $this->assertSame(self::ERR_UNEXPECTED, $this->cache->getLastError());
        $this->assertSame('text', $this->cache->get($key));
    }

    public function testIncrAndDecrOfExistingCountersOnly(): void
    {
        if (!method_exists($this->cache, 'incr')) {
            // Gone from MediaWiki 1.43 on.
            $this->expectNotToPerformAssertions();

            return;
        }
        $key = $this->key();
        $this->assertFalse($this->cache->incr($key));
        $this->assertFalse($this->cache->decr($key));
        $this->assertFalse($this->cache->get($key), 'neither makes a counter');
        $this->cache->set($key, 5, 60);
        $this->assertSame(6, $this->cache->incr($key));
        $this->assertSame(16, $this->cache->incr($key, 10));
        $this->assertSame(13, $this->cache->decr($key, 3));
        $this->assertSame(0, $this->cache->decr($key, 100), 'not below 0');
        $this->assertSame(0, $this->cache->get($key));
        $this->assertEqualsWithDelta(60, $this->raw->ttl($key), 2);
        $this->assertNoError();
    }

    // ---- merge and locks ----

    public function testMergeMakesChangesAndLeaves(): void
    {
        $key = $this->key();
        $append = fn (string $word) => fn ($cache, $key, $current) => $current === false ? [$word] : [...$current, $word];
        $this->assertTrue($this->cache->merge($key, $append('one'), 60));
        $this->assertTrue($this->cache->merge($key, $append('two'), 600));
        $this->assertSame(['one', 'two'], $this->cache->get($key));
        $this->assertEqualsWithDelta(600, $this->raw->ttl($key), 2);
        $this->assertTrue($this->cache->merge($key, fn () => false, 60), 'nothing to do is no failure');
        $this->assertSame(['one', 'two'], $this->cache->get($key));
        $this->assertNoError();
    }

    public function testMergeTriesAgainWhenSomebodyElseWrote(): void
    {
        $key = $this->key();
        $other = $this->newCache();
        foreach ([false, 'a'] as $before) {
            $before === false ? $this->cache->delete($key) : $this->cache->set($key, $before, 60);
            $calls = 0;
            $merged = $this->cache->merge($key, function ($cache, $key, $current) use ($other, &$calls) {
                if (++$calls === 1) {
                    $other->set($key, 'other', 60);
                }

                return "$current+b";
            }, 60);
            $this->assertTrue($merged);
            $this->assertSame(2, $calls);
            $this->assertSame('other+b', $this->cache->get($key));
        }
    }

    public function testMergeGivesUp(): void
    {
        $key = $this->key();
        $other = $this->newCache();
        $calls = 0;
        $merged = $this->cache->merge($key, function ($cache, $key) use ($other, &$calls) {
            $other->set($key, 'other ' . ++$calls, 60);

            return 'mine';
        }, 60, 3);
        $this->assertFalse($merged);
        $this->assertSame(3, $calls);
        $this->assertSame('other 3', $this->cache->get($key));
        $this->assertNoError();
    }

    public function testLocks(): void
    {
        $key = $this->key();
        $other = $this->newCache();
        $this->assertTrue($this->cache->lock($key, 0));
        $this->assertFalse($other->lock($key, 0));
        $this->assertFalse($this->cache->lock($key, 0), 'not twice, unless of one class');
        $this->assertTrue($this->cache->unlock($key));
        $this->assertTrue($other->lock($key, 0, 10, 'class'));
        $this->assertTrue($other->lock($key, 0, 10, 'class'));
        $this->assertTrue($other->unlock($key));
        $this->assertFalse($this->cache->lock($key, 0), 'held once more');
        $this->assertTrue($other->unlock($key));
        $lock = $this->cache->getScopedLock($key, 0);
        $this->assertNotNull($lock);
        $this->assertNull($other->getScopedLock($key, 0));
        unset($lock);
        $this->assertNotNull($other->getScopedLock($key, 0));
    }

    // ---- values in segments ----

    public function testLargeValuesInSegments(): void
    {
        $key = $this->key();
        foreach ([random_bytes(3_000_000), ['text' => random_bytes(2_000_000), 'n' => 5]] as $value) {
            $this->assertTrue($this->cache->set($key, $value, 60, self::WRITE_ALLOW_SEGMENTS));
            $this->assertSame(md5(serialize($value)), md5(serialize($this->cache->get($key))));
            $found = $this->cache->getMulti([$key]);
            $this->assertSame(md5(serialize([$key => $value])), md5(serialize($found)));
        }
        $this->assertTrue($this->cache->merge($key, fn ($c, $k, $current) => $current + ['m' => 6], 60, 1, self::WRITE_ALLOW_SEGMENTS));
        $this->assertSame(6, $this->cache->get($key)['m']);
        $this->assertTrue($this->cache->delete($key, self::WRITE_PRUNE_SEGMENTS | self::WRITE_ALLOW_SEGMENTS));
        $this->assertFalse($this->cache->get($key));
        $this->assertNoError();
    }

    public function testSmallValuesAreNotSegmented(): void
    {
        $key = $this->key();
        $this->cache->set($key, 5, 60, self::WRITE_ALLOW_SEGMENTS);
        $this->assertSame('5', $this->raw->get($key));
    }

    // ---- keys and routes ----

    public function testBadCharactersInAKey(): void
    {
        foreach (['a b', "a\nb", "a\0b", "a\x7fb", 'ä'] as $key) {
            $calls = [
                'get' => fn () => $this->cache->get($key),
                'delete' => fn () => $this->cache->delete($key),
                'getMulti' => fn () => $this->cache->getMulti(['good', $key]),
                'setMulti' => fn () => $this->cache->setMulti(['good' => 'v', $key => 'v'], 60),
                'setMulti of ints' => fn () => $this->cache->setMulti(['good' => 1, $key => 'v'], 60),
                'deleteMulti' => fn () => $this->cache->deleteMulti(['good', $key]),
                'changeTTLMulti' => fn () => $this->cache->changeTTLMulti(['good', $key], 60),
            ];
            foreach ($calls as $method => $call) {
                try {
                    $call();
                    $this->fail("$method accepted a bad key");
                } catch (\Exception $error) {
                    $this->assertStringContainsString('invalid characters', $error->getMessage());
                }
            }
        }
    }

    public function testAKeyThatIsTooLong(): void
    {
        $long = str_repeat('k', 251);
        // @: MemcachedPeclBagOStuff asks which server such a key is on, and trips over the answer.
        $calls = [
            'get' => fn () => @$this->cache->get($long),
            'set' => fn () => @$this->cache->set($long, 'v', 60),
            'add' => fn () => @$this->cache->add($long, 'v', 60),
            'delete' => fn () => @$this->cache->delete($long),
            'changeTTL' => fn () => @$this->cache->changeTTL($long, 60),
            'incrWithInit' => fn () => @$this->cache->incrWithInit($long, 60),
        ];
        foreach ($calls as $name => $call) {
            $watchPoint = $this->cache->watchErrors();
            $this->assertFalse($call(), $name);
            $this->assertSame(self::ERR_UNEXPECTED, $this->cache->getLastError($watchPoint), $name);
        }
        $longest = str_pad($this->key(), 250, 'k');
        $this->assertTrue($this->cache->set($longest, 'v', 60));
        $this->assertSame('v', $this->cache->get($longest));
    }

    public function testRoutingPrefix(): void
    {
        $routed = $this->newCache(['routingPrefix' => '/here/all/']);
        [$a, $b] = $this->keys(2);
        $this->assertTrue($routed->set($a, 'A', 60));
        $this->assertSame('A', $this->raw->get("/here/all/$a"));
        $this->assertTrue($routed->setMulti([$b => 'B'], 60));
        $this->assertSame('B', $this->raw->get("/here/all/$b"));
        $this->assertSame([$b => 'B', $a => 'A'], $routed->getMulti([$b, $a]));
        $this->assertSame(1, $routed->incrWithInit("$a:n", 60));
        $this->assertSame('1', $this->raw->get("/here/all/$a:n"));
        $this->assertTrue($routed->changeTTLMulti([$a, $b], 600));
        $this->assertTrue($routed->deleteMulti([$a]));
        $this->assertTrue($routed->delete($b));
        $this->assertSame([], $routed->getMulti([$b, $a]));
        $this->expectException(\RuntimeException::class);
        $routed->get("/there/$a");
    }

    // ---- servers that fail ----

    /** What a call says of a server that can't be reached. */
    protected function errorOfUnreachable(string $call): int
    {
        return self::ERR_UNREACHABLE;
    }

    public function testAServerThatCannotBeReached(): void
    {
        $down = $this->newCache(['servers' => [Server::freePort()]]);
        [$a, $b] = $this->keys(2);
        $calls = [
            'get' => fn () => $down->get($a),
            'set' => fn () => $down->set($a, 'v', 60),
            'add' => fn () => $down->add($a, 'v', 60),
            'delete' => fn () => $down->delete($a),
            'changeTTL' => fn () => $down->changeTTL($a, 60),
            'incrWithInit' => fn () => $down->incrWithInit($a, 60),
            'lock' => fn () => $down->lock($a, 0),
            'merge' => fn () => $down->merge($a, fn () => 'v', 60),
        ];
        foreach ($calls as $name => $call) {
            $watchPoint = $down->watchErrors();
            $this->assertFalse($call(), $name);
            $this->assertSame($this->errorOfUnreachable($name), $down->getLastError($watchPoint), $name);
            $this->assertSame(self::ERR_NONE, $down->getLastError($down->watchErrors()), "$name, later");
        }
        $this->assertSame([], $down->getMulti([$a, $b]));
    }

    public function testAServerThatDoesNotAnswer(): void
    {
        $server = Server::tcp();
        $cache = $this->newCache(['servers' => [$server->address], 'timeout' => 100_000]);
        $key = $this->key();
        $this->assertTrue($cache->set($key, 'v', 60));
        $server->pause();
        $before = microtime(true);
        $this->assertFalse($cache->get($key));
        $this->assertNotSame(self::ERR_NONE, $cache->getLastError());
        $this->assertLessThan(1, microtime(true) - $before);
        $server->resume();
        // Within the time after which a server that failed is tried again.
        for ($until = microtime(true) + 5; $cache->get($key) !== 'v' && microtime(true) < $until;) {
            usleep(100_000);
        }
        $this->assertSame('v', $cache->get($key));
        $server->kill();
    }
}
