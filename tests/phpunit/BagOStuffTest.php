<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use WRStats;

/** Drives the class as a MediaWiki cache would, on memory: and on a real server, in both dialects. */
final class BagOStuffTest extends TestCase
{
    /** @return array<string, array{array}> */
    public function provideStores(): array
    {
        $server = getenv('WRSTATS_TEST_SERVER');

        return [
            'memory:' => [['servers' => ['memory:']]],
            'memcached' => [['servers' => [$server]]],
            'memcached, classic protocol' => [['servers' => [$server], 'protocol' => 'classic']],
        ];
    }

    private WRStats $client;

    private function bag(array $config): StubBagOStuff
    {
        $this->client = new WRStats($config);

        return new StubBagOStuff($this->client, 'test-' . bin2hex(random_bytes(6)));
    }

    /** @dataProvider provideStores */
    public function testIncrWithInitCreatesAtInitThenAdds(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('hits', 'page', 7);

        $this->assertSame(10, $bag->incrWithInit($key, 60, 3, 10));
        $this->assertSame(13, $bag->incrWithInit($key, 60, 3, 10));
        $this->assertSame(13, $bag->get($key));
    }

    /** @dataProvider provideStores */
    public function testIncrWithInitStartsAtTheStepByDefault(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('hits');

        $this->assertSame(3, $bag->incrWithInit($key, 60, 3));
        $this->assertSame(6, $bag->incrWithInit($key, 60, 3));
    }

    /** @dataProvider provideStores */
    public function testIncrementsInTheBackgroundCountTheSame(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('hits');

        for ($i = 0; $i < 100; $i++) {
            $this->assertTrue($bag->incrWithInit($key, 60, 2, null, StubBagOStuff::WRITE_BACKGROUND));
        }

        $this->assertSame(200, $bag->get($key));
        $this->assertTrue($this->client->sync());
    }

    /** @dataProvider provideStores */
    public function testAMissingKeyIsFalse(array $config): void
    {
        $bag = $this->bag($config);

        $this->assertFalse($bag->get($bag->makeKey('missing')));
        $this->assertSame([], $bag->getMulti([$bag->makeKey('missing')]));
    }

    /** @dataProvider provideStores */
    public function testWhatWasSetIsReadUntilItIsDeleted(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('value');

        $this->assertTrue($bag->set($key, 'one', 60));
        $this->assertSame('one', $bag->get($key));
        $this->assertFalse($bag->add($key, 'two', 60));
        $this->assertTrue($bag->set($key, 'three', 60, StubBagOStuff::WRITE_BACKGROUND));
        $this->assertSame('three', $bag->get($key));
        $this->assertTrue($bag->delete($key));
        $this->assertFalse($bag->get($key));
        $this->assertTrue($bag->delete($key), 'deleting nothing is success');
    }

    /** @dataProvider provideStores */
    public function testManyKeysAtOnce(array $config): void
    {
        $bag = $this->bag($config);
        [$a, $b, $c] = [$bag->makeKey('m', 'a'), $bag->makeKey('m', 'b'), $bag->makeGlobalKey('m', bin2hex(random_bytes(6)))];

        $this->assertTrue($bag->setMulti([$a => 'A', $b => 2, $c => ''], 60));
        $this->assertSame([$c => '', $a => 'A', $b => 2], $bag->getMulti([$c, $a, $b]));
        $this->assertTrue($bag->deleteMulti([$a, $b], StubBagOStuff::WRITE_BACKGROUND));
        $this->assertSame([$c => ''], $bag->getMulti([$a, $b, $c]));
    }

    /** @dataProvider provideStores */
    public function testComponentsNeverMeetUnderOneKey(array $config): void
    {
        $bag = $this->bag($config);
        $keys = [$bag->makeKey('k', 'a:b'), $bag->makeKey('k', 'a', 'b'), $bag->makeKey('k', 'a%3Ab'), $bag->makeKey('k', 'a#b')];

        foreach ($keys as $i => $key) {
            $bag->incrWithInit($key, 60, $i + 1);
        }

        $this->assertSame([1, 2, 3, 4], array_values($bag->getMulti($keys)));
    }

    /** @dataProvider provideStores */
    public function testMergeSeesTheCurrentValue(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('list');
        $append = fn(string $word) => fn($bag, $key, $current) => $current === false ? $word : "$current $word";

        $this->assertTrue($bag->merge($key, $append('one'), 60));
        $this->assertTrue($bag->merge($key, $append('two'), 60));
        $this->assertSame('one two', $bag->get($key));
        $this->assertFalse($bag->merge($key, fn() => false));
    }

    /** @dataProvider provideStores */
    public function testMergeTriesAgainWhenSomebodyElseWrote(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('list');
        $bag->set($key, 'a', 60);
        $calls = 0;

        $merged = $bag->merge($key, function (StubBagOStuff $bag, string $key, $current) use (&$calls) {
            if (++$calls === 1) {
                $bag->set($key, 'other', 60);
            }

            return "$current+b";
        }, 60);

        $this->assertTrue($merged);
        $this->assertSame(2, $calls);
        $this->assertSame('other+b', $bag->get($key));
    }

    /** @dataProvider provideStores */
    public function testAnExpiredCounterStartsOver(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('hits');

        $this->assertSame(5, $bag->incrWithInit($key, 1, 5));
        usleep(2_100_000);
        $this->assertFalse($bag->get($key));
        $this->assertSame(5, $bag->incrWithInit($key, 60, 5));
    }

    /** @dataProvider provideStores */
    public function testATimeInThePastDeletes(array $config): void
    {
        $bag = $this->bag($config);
        $key = $bag->makeKey('value');
        $bag->set($key, 'v', 60);

        $this->assertTrue($bag->set($key, 'w', time() - 10));
        $this->assertFalse($bag->get($key));
    }

    public function testExpiryOnTheServer(): void
    {
        $bag = $this->bag(['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
        $raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
        [$never, $short, $month, $time] = array_map(fn($name) => $bag->makeKey($name), ['never', 'short', 'month', 'time']);

        $bag->incrWithInit($never, 0);
        $bag->incrWithInit($short, 60);
        $bag->incrWithInit($month, 86_400 * 60, 1, null, StubBagOStuff::WRITE_BACKGROUND);
        $bag->set($time, 'v', time() + 500);
        $this->client->sync();

        $this->assertSame(-1, $raw->ttl($never));
        $this->assertEqualsWithDelta(60, $raw->ttl($short), 2);
        $this->assertEqualsWithDelta(86_400 * 60, $raw->ttl($month), 2);
        $this->assertEqualsWithDelta(500, $raw->ttl($time), 2);

        $this->assertTrue($bag->changeTTL($short, 600));
        $this->assertEqualsWithDelta(600, $raw->ttl($short), 2);
        $this->assertFalse($bag->changeTTL($bag->makeKey('missing'), 600));
    }

    public function testAServerThatIsDownIsNoMiss(): void
    {
        $bag = $this->bag(['servers' => [Server::freePort()]]);

        $this->assertSame([], $bag->getMulti([$bag->makeKey('k')]));
        $this->assertSame(WRStats::ERROR_UNREACHABLE, $this->client->lastErrorCode());
        $this->assertTrue($bag->incrWithInit($bag->makeKey('k'), 60, 1, null, StubBagOStuff::WRITE_BACKGROUND));

        $this->expectException(WRStats\ConnectionException::class);
        $this->expectExceptionCode(WRStats::ERROR_UNREACHABLE);
        $bag->get($bag->makeKey('k'));
    }
}
