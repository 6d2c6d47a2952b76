<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use WRStats;
use WRStats\EntityKey;

/**
 * Writers, readers and rate limiters as their users drive them: on memory:, on a real server in both dialects, and
 * over stores of PHP code.
 */
final class StatsTest extends TestCase
{
    private const SPECS = [
        'hits' => ['sequences' => [['timeStep' => 60, 'expiry' => 3600], ['name' => 'day', 'timeStep' => 3600, 'expiry' => 86400]]],
        'time' => ['resolution' => 0.001, 'sequences' => [['timeStep' => 60, 'expiry' => 3600]]],
    ];

    /** @return array<string, array{callable(): WRStats}> */
    public function provideHandles(): array
    {
        $server = getenv('WRSTATS_TEST_SERVER');
        $own = fn(array $config) => new WRStats($config + ['prefix' => bin2hex(random_bytes(6)) . ':']);
        $bag = fn(array $config) => WRStats::onStore(new BagStore(new StubBagOStuff(
            new WRStats($config),
            'test-' . bin2hex(random_bytes(6)),
        )));

        return [
            'memory:' => [fn() => $own(['servers' => ['memory:']])],
            'memcached' => [fn() => $own(['servers' => [$server]])],
            'memcached, classic protocol' => [fn() => $own(['servers' => [$server], 'protocol' => 'classic'])],
            'a PHP array' => [fn() => WRStats::onStore(new ArrayStore())],
            'a BagOStuff on memory:' => [fn() => $bag(['servers' => ['memory:']])],
            'a BagOStuff on memcached' => [fn() => $bag(['servers' => [$server]])],
        ];
    }

    /** @dataProvider provideHandles */
    public function testWhatIsWrittenIsRead(callable $handle): void
    {
        $stats = $handle();
        $stats->setCurrentTime(120_000);
        $writer = $stats->createWriter(self::SPECS, 'app');
        $writer->incr('hits', ['page', 7]);
        $writer->incr('hits', EntityKey::local('page', '7'), 2);
        $writer->incr('hits', EntityKey::global('page', 7), 5);
        $writer->incr('time', ['page', 7], 0.25);
        $writer->flush();

        $stats->setCurrentTime(120_030);
        $reader = $stats->createReader(self::SPECS, 'app');
        $range = $reader->latest(30);
        $local = $reader->getRates(['hits', 'time'], ['page', 7], $range);
        $global = $reader->getRate('hits', EntityKey::global('page', 7), $range);

        $this->assertSame(['hits' => 3, 'time' => 0.25], $reader->total($local));
        $this->assertSame(5, $global->total());
        $this->assertSame(10.0, $global->perMinute());
        $this->assertSame(0, $reader->getRate('hits', null, $range)->total());
        $this->assertSame(3, $reader->getRate('hits', ['page', 7], $reader->latest(7200))->total());
    }

    /** @dataProvider provideHandles */
    public function testOneThingsCountersCanBeReset(callable $handle): void
    {
        $stats = $handle();
        $stats->setCurrentTime(100_000);
        $writer = $stats->createWriter(self::SPECS);
        $writer->incr('hits', ['a'], 3);
        $writer->incr('hits', ['b'], 4);
        $writer->flush();
        $writer->resetAll([['a']]);

        $reader = $stats->createReader(self::SPECS);
        $total = fn($entity) => $reader->getRate('hits', $entity, $reader->latest(60))->total();
        $this->assertSame([0, 4], [$total(['a']), $total(['b'])]);
    }

    /** @dataProvider provideHandles */
    public function testTheLimitIsKept(callable $handle): void
    {
        $stats = $handle();
        foreach ([[], ['strict' => true]] as $i => $options) {
            if ($options && str_contains($this->dataName(), 'BagOStuff')) {
                // incr() of a BagOStuff takes no negative amounts, which strict limits need to take back.
                continue;
            }
            $limiter = $stats->createRateLimiter(['edit' => ['limit' => 3, 'window' => 60]], "limits$i", $options);
            $limiter->setCurrentTime(100_000);
            $allowed = array_map(fn() => $limiter->tryIncr('edit', ['user', 1])->isAllowed(), range(1, 5));
            $this->assertSame([true, true, true, false, false], $allowed);
            $result = $limiter->peek('edit', ['user', 1]);
            $this->assertSame([3, 4, 0], [$result->prevTotal, $result->newTotal, $result->remaining()]);
            $limiter->setCurrentTime(100_000 + $result->retryAfter());
            $this->assertTrue($limiter->tryIncr('edit', ['user', 1])->isAllowed());
        }
    }

    /** @dataProvider provideHandles */
    public function testABatchIsAllOrNothing(callable $handle): void
    {
        $limiter = $handle()->createRateLimiter(['many' => ['limit' => 10, 'window' => 60], 'one' => ['limit' => 1, 'window' => 60]]);
        $limiter->setCurrentTime(100_000);
        $try = fn() => $limiter->createBatch()->localOp('many', ['user', 1])->globalOp('one', 'x')->tryIncr();

        $this->assertTrue($try()->isAllowed());
        $refused = $try();
        $this->assertFalse($refused->isAllowed());
        $this->assertSame(['one'], array_keys($refused->getFailedResults()));
        $this->assertSame(1, $refused->getPassedResults()['many']->prevTotal);
        $this->assertSame(1, $try()->getAllResults()['many']->prevTotal);
    }

    public function testAWriterOverAPhpStoreHandsOverWhenItGoes(): void
    {
        $store = new ArrayStore();
        $stats = WRStats::onStore($store);
        $stats->setCurrentTime(120);
        $writer = $stats->createWriter(['m' => []]);
        $writer->incr('m', ['a:b', 'c'], 4);
        $this->assertSame([], $store->data);
        unset($writer);
        $this->assertSame(['local:WRStats:m::0:a%3Ab:c' => [4, 4200]], $store->data);
    }

    public function testOtherMethodsOfAHandleOverAPhpStoreAreALogicError(): void
    {
        $this->expectException(\LogicException::class);
        $this->expectExceptionMessage('onStore');
        WRStats::onStore(new ArrayStore())->incr('k');
    }

    public function testAnObjectThatIsNoStoreIsRefused(): void
    {
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage('makeKey is missing');
        WRStats::onStore(new \stdClass());
    }

    public function testWhatAPhpStoreThrowsComesThrough(): void
    {
        $broken = new class {
            public function makeKey($prefix, $internals, $entity)
            {
                return 'k';
            }

            public function incr(array $values, $ttl)
            {
                throw new \DomainException('no disk');
            }

            public function delete(array $keys)
            {
                throw new \DomainException('no disk');
            }

            public function query(array $keys)
            {
                throw new \DomainException('no disk');
            }
        };
        $limiter = WRStats::onStore($broken)->createRateLimiter(['c' => ['limit' => 1, 'window' => 1]]);
        $this->expectException(\DomainException::class);
        $this->expectExceptionMessage('no disk');
        $limiter->peek('c');
    }
}
