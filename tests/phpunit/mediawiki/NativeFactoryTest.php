<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use Wikimedia\WRStats\ArrayStatsStore;
use Wikimedia\WRStats\BagOStuffStatsStore;
use Wikimedia\WRStats\EntityKey;
use Wikimedia\WRStats\GlobalEntityKey;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LimitOperation;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\StatsStore;
use Wikimedia\WRStats\TimeRange;
use Wikimedia\WRStats\WRStatsError;
use Wikimedia\WRStats\WRStatsFactory;
use WRStats\MediaWiki\NativeWRStatsFactory;
use WRStats\MediaWiki\WRStatsStore;

require_once __DIR__ . '/MediaWiki.php';
require_once __DIR__ . '/RecordingStore.php';
require_once __DIR__ . '/SqliteCache.php';

/** MediaWiki's WRStats and the native factory do the same, value by value. */
final class NativeFactoryTest extends TestCase
{
    private const SPECS = [
        'hits' => [],
        'time' => ['resolution' => 1e-3, 'sequences' => [['timeStep' => 7200, 'expiry' => 86400]]],
        'half' => ['resolution' => 0.5, 'sequences' => [['timeStep' => 7.5, 'expiry' => 60]]],
        'many' => ['sequences' => [
            ['name' => 'long', 'timeStep' => 60, 'expiry' => 7200],
            ['name' => 'short', 'timeStep' => 1, 'expiry' => 30],
        ]],
    ];

    private function keyspace(): string
    {
        return 'wiki' . bin2hex(random_bytes(5));
    }

    /** @var object[] MediaWiki's caches on PECL memcached that this test has made */
    private array $theirCaches = [];

    private function theirs(string $keyspace, string ...$servers): WRStatsFactory
    {
        return new WRStatsFactory($this->theirStore($keyspace, ...$servers));
    }

    private function theirStore(string $keyspace, string ...$servers): StatsStore
    {
        $params = ['keyspace' => $keyspace] + ($servers ? ['servers' => $servers] : []);

        return new BagOStuffStatsStore($this->theirCaches[] = MediaWiki::pecl($params));
    }

    private function ours(string $keyspace, string ...$servers): NativeWRStatsFactory
    {
        $params = ['keyspace' => $keyspace] + ($servers ? ['servers' => $servers] : []);

        return NativeWRStatsFactory::onCache(MediaWiki::ours($params));
    }

    /** What both have written in the background is there now: theirs on the way, ours until a request ends or waits. */
    private function settle(): void
    {
        // They have a connection for background writes, and only what is asked there comes after them.
        $ask = function () {
            foreach (get_object_vars($this) as $client) {
                if ($client instanceof \Memcached) {
                    $client->get('settle');
                }
            }
        };
        foreach ($this->theirCaches as $cache) {
            $ask->call($cache);
        }
        MediaWiki::ours()->get('settle');
    }

    /** @return EntityKey[] */
    private function entities(): array
    {
        return [
            new LocalEntityKey(),
            new LocalEntityKey(['filter', '7']),
            new LocalEntityKey(['group', 'default', 12]),
            new GlobalEntityKey(['filter', bin2hex(random_bytes(8))]),
            new LocalEntityKey(['with space', 'ä%#:']),
            new LocalEntityKey([str_repeat('long', 60)]),
            new LocalEntityKey([str_repeat('long', 30), str_repeat('longer', 40), str_repeat('n', 200)]),
        ];
    }

    /** Random increments, the same for every writer. */
    private function write(object $writer, array $entities, int $seed, int|float $now): void
    {
        mt_srand($seed);
        $writer->setCurrentTime($now);
        for ($i = 0; $i < 60; $i++) {
            $metric = array_rand(self::SPECS);
            $entity = $entities[array_rand($entities)];
            $value = [1, mt_rand(0, 50), mt_rand(0, 5000) / 7, 0.4999, 2.5][mt_rand(0, 4)];
            $writer->incr($metric, mt_rand(0, 5) ? $entity : null, $value);
        }
        $writer->flush();
    }

    public function testSameKeysAndValuesAndExpiries(): void
    {
        $raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
        foreach ([1_700_000_000, 1_700_003_599.75, microtime(true)] as $seed => $now) {
            [$one, $two] = [$this->keyspace(), $this->keyspace()];
            $entities = $this->entities();
            $recording = new RecordingStore($this->theirStore($one));
            $prefix = $seed ? ['prefix', 'Two %'] : 'WRStats';
            $this->write((new WRStatsFactory($recording))->createWriter(self::SPECS, $prefix), $entities, $seed, $now);
            $ours = $this->ours($two);
            $this->settle();
            // A global entity has the same key in both keyspaces: what the first wrote is doubled by the second.
            $before = [];
            foreach ($recording->keys as $key => $_) {
                $before[$key] = $raw->get($key);
            }
            $this->write($ours->createWriter(self::SPECS, $prefix), $entities, $seed, $now);
            $this->settle();
            $this->assertGreaterThan(20, count($before));
            foreach ($before as $key => $value) {
                $isGlobal = str_starts_with($key, 'global:');
                $ourKey = $isGlobal ? $key : $two . substr($key, strlen($one));
                $this->assertSame($isGlobal ? 2 * $value : (int)$value, (int)$raw->get($ourKey), $ourKey);
                $this->assertEqualsWithDelta($raw->ttl($key), $raw->ttl($ourKey), 2, $ourKey);
            }
        }
    }

    public function testEachReadsWhatTheOtherWrote(): void
    {
        $keyspace = $this->keyspace();
        [$theirs, $ours] = [$this->theirs($keyspace), $this->ours($keyspace)];
        $entities = $this->entities();
        $start = 1_700_000_000;
        foreach ([0, 0.3, 12, 59.5, 600, 7300] as $seed => $after) {
            $factory = $seed % 2 ? $theirs : $ours;
            $writer = $factory->createWriter(self::SPECS);
            $this->write($writer, $entities, $seed, $start + $after);
            $this->settle();
        }
        $compared = $nonZero = 0;
        foreach ([0, 1, 12.25, 59.5, 600, 1200, 7300] as $after) {
            [$theirReader, $ourReader] = [$theirs->createReader(self::SPECS), $ours->createReader(self::SPECS)];
            $theirReader->setCurrentTime($start + $after + 0.125);
            $ourReader->setCurrentTime($start + $after + 0.125);
            foreach ($entities as $entity) {
                foreach ([0.5, 10, 60, 90.5, 3600, 86400] as $seconds) {
                    $metrics = array_keys(self::SPECS);
                    $theirRates = $theirReader->getRates($metrics, $entity, $theirReader->latest($seconds));
                    $ourRates = $ourReader->getRates($metrics, $entity, $ourReader->latest($seconds));
                    foreach (['total', 'perSecond', 'perMinute', 'perHour', 'perDay'] as $method) {
                        $expected = $theirReader->$method($theirRates);
                        $this->assertSame($expected, $ourReader->$method($ourRates), "$method of $seconds s after $after s");
                        $compared += count($expected);
                        $nonZero += count(array_filter($expected));
                    }
                }
            }
        }
        $this->assertGreaterThan(5000, $compared);
        $this->assertGreaterThan(1000, $nonZero);
    }

    public function testTestValues(): void
    {
        $ours = $this->ours($keyspace = $this->keyspace());
        $raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
        $ours->setCurrentTime(1000);
        $writer = $ours->createWriter(['test' => ['sequences' => [['timeStep' => 100, 'expiry' => 1000]]]], 'p');
        $writer->incr('test');
        unset($writer);
        $writer = $ours->createWriter(['decimal' => ['resolution' => 0.1, 'sequences' => [['timeStep' => 200, 'expiry' => 2000]]]], 'p');
        $writer->incr('decimal', null, 1.33);
        $writer->flush();
        $this->settle();
        $this->assertSame('1', $raw->get("$keyspace:p:test::10"));
        $this->assertEqualsWithDelta(1100, $raw->ttl("$keyspace:p:test::10"), 1);
        $this->assertSame('13', $raw->get("$keyspace:p:decimal::5"));
    }

    /** MediaWiki reads the clock when it is first needed, and keeps that until resetCurrentTime(). */
    public function testTimeIsKept(): void
    {
        $specs = ['m' => ['sequences' => [['timeStep' => 0.05, 'expiry' => 60]]]];
        foreach (['theirs', 'ours'] as $whose) {
            $factory = $this->$whose($this->keyspace());
            $writer = $factory->createWriter($specs);
            $reader = $factory->createReader($specs);
            $first = $reader->latest(1);
            $writer->incr('m');
            $writer->flush();
            usleep(150_000);
            $writer->incr('m');
            $writer->flush();
            $this->assertEquals($first, $reader->latest(1), $whose);
            $this->assertSame(2, $reader->getRate('m', null, new TimeRange($first->start, $first->end + 0.1))->total(), $whose);
            $reader->resetCurrentTime();
            $writer->resetCurrentTime();
            $writer->incr('m');
            $writer->flush();
            $this->assertGreaterThan($first->end + 0.1, $reader->latest(1)->end, $whose);
            $fresh = $factory->createReader($specs);
            $this->assertSame(1, $fresh->getRate('m', null, $fresh->latest(0.1))->total(), $whose);
        }
    }

    public function testResetAllLeavesNothing(): void
    {
        foreach (['theirs', 'ours'] as $whose) {
            $keyspace = $this->keyspace();
            $factory = $this->$whose($keyspace);
            $other = $whose === 'ours' ? $this->theirs($keyspace) : $this->ours($keyspace);
            $entities = $this->entities();
            $now = microtime(true);
            $this->write($other->createWriter(self::SPECS), $entities, 1, $now);
            $this->settle();
            $writer = $factory->createWriter(self::SPECS);
            $writer->setCurrentTime($now);
            $writer->incr('hits', $entities[1], 5);
            $writer->resetAll(array_slice($entities, 1));
            $writer->flush();
            $this->settle();
            $reader = $factory->createReader(self::SPECS);
            $reader->setCurrentTime($now);
            foreach ($entities as $i => $entity) {
                $totals = $reader->total($reader->getRates(array_keys(self::SPECS), $entity, $reader->latest(86400)));
                $this->assertSame($i > 0, array_filter($totals) === [], "$whose, entity $i");
            }
        }
    }

    public function testWhatMediaWikiRefusesIsRefusedTheSameWay(): void
    {
        foreach (['theirs', 'ours'] as $whose) {
            $factory = $this->$whose($this->keyspace());
            $writer = $factory->createWriter(['m' => []]);
            $reader = $factory->createReader(['m' => []]);
            $limiter = $factory->createRateLimiter(['c' => new LimitCondition(5, 60)]);
            $refused = [
                'unknown metric to write' => fn () => $writer->incr('other'),
                'unknown metric to read' => fn () => $reader->getRate('other', null, $reader->latest(60)),
                'timeStep outside sequences' => fn () => $factory->createWriter(['m' => ['timeStep' => 5]]),
                'expiry outside sequences' => fn () => $factory->createReader(['m' => ['expiry' => 5]]),
                'no prefix' => fn () => $factory->createWriter(['m' => []], []),
                'no prefix to read' => fn () => $factory->createReader(['m' => []], []),
                'sequence that is none' => fn () => $factory->createWriter(['m' => ['sequences' => [5]]]),
                'unknown condition' => fn () => $limiter->tryIncr('other'),
                'unknown condition to count' => fn () => $limiter->incr('other'),
                'unknown condition to look at' => fn () => $limiter->createBatch()->localOp('other')->peek(),
                'a condition twice' => fn () => $limiter->createBatch()->localOp('c')->globalOp('c', 5),
            ];
            foreach ($refused as $name => $call) {
                try {
                    $call();
                    $this->fail("$whose: $name");
                } catch (WRStatsError $error) {
                    $this->addToAssertionCount(1);
                }
            }
        }
    }

    public function testANegativeDurationEndsNothing(): void
    {
        $factory = $this->ours($this->keyspace());
        $writer = $factory->createWriter(['time' => ['resolution' => 1e-3], 'm' => []]);
        $writer->incr('m');
        $writer->incr('time', null, -0.5);
        $writer->incr('time', null, NAN);
        $writer->flush();
        $reader = $factory->createReader(['time' => ['resolution' => 1e-3], 'm' => []]);
        $this->assertSame(['m' => 1, 'time' => 0.0], $reader->total($reader->getRates(['m', 'time'], null, $reader->latest(3600))));
    }

    // ---- limits ----

    /** @return array<string, LimitCondition> */
    private function conditions(): array
    {
        return [
            'user' => new LimitCondition(8, 60),
            'ip' => new LimitCondition(20, 300),
            'half' => new LimitCondition(3, 0.5),
            'none' => new LimitCondition(0, 60),
            'one' => new LimitCondition(1, 10),
        ];
    }

    private function assertSameResults(object $expected, object $actual, string $step): void
    {
        $this->assertSame($expected->isAllowed(), $actual->isAllowed(), $step);
        foreach (['getAllResults', 'getFailedResults', 'getPassedResults'] as $method) {
            $describe = fn ($result) => [
                $result->prevTotal, $result->newTotal, $result->condition->limit, $result->condition->window,
                $result->isAllowed(), $result->dump(),
            ];
            $this->assertSame(array_map($describe, $expected->$method()), array_map($describe, $actual->$method()), $step);
        }
    }

    /** A random stretch of what core does: the same answers from a limiter of ours alone, and from both taking turns. */
    public function testLimitsAreTheSame(): void
    {
        foreach ([[], ['bucketCount' => 10], ['bucketCount' => 1]] as $seed => $options) {
            mt_srand($seed);
            [$one, $two, $three] = [$this->keyspace(), $this->keyspace(), $this->keyspace()];
            $conditions = $this->conditions();
            $make = fn ($factory) => $factory->createRateLimiter($conditions, ['limiter', 'edit'], $options);
            $theirs = $make($this->theirs($one));
            $ours = $make($this->ours($two));
            $turns = [$make($this->theirs($three)), $make($this->ours($three))];
            $now = 1_700_000_000.0;
            $allowed = $refused = 0;
            for ($step = 0; $step < 250; $step++) {
                $now += [0, 0.01, 0.2, 1, 2, 7.5, 60][mt_rand(0, 6)];
                $limiters = [$theirs, $ours, $turns[$step % 2]];
                $names = (array)array_rand($conditions, mt_rand(1, 3));
                $verb = ['peek', 'tryIncr', 'tryIncr', 'tryIncr', 'incr'][mt_rand(0, 4)];
                $amount = mt_rand(0, 3);
                $component = [[], 7, ['a', mt_rand(1, 2)]][mt_rand(0, 2)];
                $single = mt_rand(0, 3) === 0;
                $results = [];
                foreach ($limiters as $limiter) {
                    $limiter->setCurrentTime($now);
                    if ($single) {
                        $results[] = $limiter->$verb($names[0], new LocalEntityKey((array)$component), $amount);
                        continue;
                    }
                    $batch = $limiter->createBatch($amount);
                    foreach ($names as $i => $name) {
                        // Global ones would meet in all three: a component of this limiter's own.
                        $i === 1 ? $batch->globalOp($name, [spl_object_id($limiters[0]) . '-' . count($results) . "-$seed-" . getmypid() . '-' . $one])
                            : $batch->localOp($name, $component, $i === 2 ? 1 : null);
                    }
                    $results[] = $batch->$verb();
                }
                $this->settle();
                if ($verb === 'incr') {
                    continue;
                }
                [$expected, $ofOurs, $ofBoth] = $results;
                if ($single) {
                    $wrap = fn ($result) => new \Wikimedia\WRStats\LimitBatchResult([$result]);
                    [$expected, $ofOurs, $ofBoth] = array_map($wrap, $results);
                }
                $this->assertSameResults($expected, $ofOurs, "step $step, ours");
                $this->assertSameResults($expected, $ofBoth, "step $step, in turns");
                $expected->isAllowed() ? $allowed++ : $refused++;
            }
            $this->assertGreaterThan(30, $allowed);
            $this->assertGreaterThan(30, $refused);
        }
    }

    public function testOperationsOfAnyKind(): void
    {
        $limiter = $this->ours($this->keyspace())->createRateLimiter(['c' => new LimitCondition(5, 60)]);
        $limiter->setCurrentTime(1_700_000_000);
        [$a, $b] = [new LocalEntityKey(['a']), new LocalEntityKey(['b'])];
        $limiter->incr('c', $a, 3);
        $result = $limiter->tryIncrBatch(['x' => new LimitOperation('c', $a, 1), 'y' => new LimitOperation('c', $b, 2)]);
        $this->assertTrue($result->isAllowed());
        // MediaWiki's own would give both the first one's count.
        $this->assertSame(['x' => 3, 'y' => 0], array_map(fn ($r) => $r->prevTotal, $result->getAllResults()));
        $this->assertSame(4, $limiter->peek('c', $a, 0)->prevTotal);
        $this->assertSame(2, $limiter->peek('c', $b, 0)->prevTotal);
        // Twice the same thing adds up.
        $result = $limiter->tryIncrBatch([new LimitOperation('c', $b, 2), new LimitOperation('c', $b, 2)]);
        $this->assertFalse($result->isAllowed());
        $this->assertSame([6, 6], array_map(fn ($r) => $r->newTotal, $result->getAllResults()));
        $this->assertSame(2, $limiter->peek('c', $b, 0)->prevTotal);
    }

    public function testUnusualConditionsAreLeftToMediaWiki(): void
    {
        foreach (['theirs', 'ours'] as $whose) {
            $limiter = $this->$whose($this->keyspace())->createRateLimiter(['c' => new LimitCondition(-1, 60)]);
            $this->assertFalse($limiter->tryIncr('c')->isAllowed(), $whose);
        }
    }

    // ---- servers that fail ----

    public function testNothingIsThrownForTheNetwork(): void
    {
        $logger = new class extends \Psr\Log\AbstractLogger {
            public int $errors = 0;

            public function log($level, $message, array $context = []): void
            {
                $this->errors += $level === 'error' ? 1 : 0;
            }
        };
        $cache = MediaWiki::ours(['servers' => [Server::freePort()]]);
        $factory = NativeWRStatsFactory::onCache($cache, $logger);
        $writer = $factory->createWriter(self::SPECS);
        $writer->incr('hits');
        $writer->flush();
        $writer->resetAll();
        $reader = $factory->createReader(self::SPECS);
        $reader->fetch();
        $range = $reader->latest(60);
        $this->assertSame(['hits' => 0, 'time' => 0.0], $reader->total($reader->getRates(['hits', 'time'], null, $range)));
        $this->assertSame(0.0, (float)$reader->getRate('hits', null, $range)->perSecond());
        $this->assertGreaterThan(0, $logger->errors);

        $before = $logger->errors;
        $limiter = $factory->createRateLimiter($this->conditions());
        $this->assertTrue($limiter->tryIncr('user', null, 8)->isAllowed(), 'nothing is known to be counted');
        $this->assertFalse($limiter->tryIncr('user', null, 9)->isAllowed());
        $this->assertTrue($limiter->createBatch()->localOp('user', 1)->globalOp('ip', '::1')->tryIncr()->isAllowed());
        $limiter->incr('user');
        $this->assertGreaterThan($before, $logger->errors);
    }

    /** What the servers that answer have still counts, as on MediaWiki's own. */
    public function testHalfOfTheServers(): void
    {
        $servers = [Server::tcp(), Server::tcp()];
        $addresses = array_map(fn ($server) => $server->address, $servers);
        $keyspace = $this->keyspace();
        $specs = ['m' => ['sequences' => [['timeStep' => 1, 'expiry' => 60]]]];
        $write = $this->theirs($keyspace, ...$addresses)->createWriter($specs);
        for ($second = 0; $second < 30; $second++) {
            $write->setCurrentTime(1_700_000_000 + $second);
            $write->incr('m', null, 100);
        }
        $write->flush();
        // A read behind the writes, so that they have arrived.
        $this->theirs($keyspace, ...$addresses)->createReader($specs)->getRate('m', null, new TimeRange(0, 1))->total();
        $servers[1]->kill();
        $totals = [];
        foreach (['theirs', 'ours'] as $whose) {
            $reader = $this->$whose($keyspace, ...$addresses)->createReader($specs);
            $reader->setCurrentTime(1_700_000_030);
            $totals[$whose] = $reader->getRate('m', null, $reader->latest(30))->total();
        }
        $this->assertSame($totals['theirs'], $totals['ours']);
        $this->assertGreaterThan(0, $totals['ours']);
        $this->assertLessThan(3000, $totals['ours']);

        $conditions = ['c' => new LimitCondition(4, 30)];
        $limiter = $this->ours($keyspace, ...$addresses)->createRateLimiter($conditions);
        for ($hits = 0; $hits < 200 && $limiter->tryIncr('c')->isAllowed(); $hits++) {
            $limiter->setCurrentTime(1_700_000_000 + $hits * 1.1);
        }
        $this->assertLessThan(200, $hits, 'buckets on the living server still count');
        $servers[0]->kill();
    }

    // ---- other stores ----

    /** @return array<string, array{callable(): StatsStore}> */
    public static function stores(): array
    {
        return [
            'in an array' => [fn () => new ArrayStatsStore()],
            'MediaWiki\'s database cache, on SQLite' => [fn () => new BagOStuffStatsStore(SqliteCache::create())],
            'WRStatsStore on memcached' => [function () {
                $cache = MediaWiki::ours(['keyspace' => 'wiki' . bin2hex(random_bytes(5))]);

                return new WRStatsStore($cache->newStatsClient(), $cache);
            }],
            'BagOStuffStatsStore on our cache' => [
                fn () => new BagOStuffStatsStore(MediaWiki::ours(['keyspace' => 'wiki' . bin2hex(random_bytes(5))])),
            ],
        ];
    }

    /** @dataProvider stores */
    public function testOnAnyStore(callable $makeStore): void
    {
        $store = $makeStore();
        [$theirs, $ours] = [new WRStatsFactory($store), NativeWRStatsFactory::onStore($store)];
        $entities = array_slice($this->entities(), 0, 4);
        // SQLite's rows know the time for themselves.
        $start = floor(microtime(true));
        foreach ([$theirs, $ours, $theirs, $ours] as $seed => $factory) {
            $this->write($factory->createWriter(self::SPECS), $entities, $seed, $start + $seed);
        }
        $reference = new WRStatsFactory(new ArrayStatsStore());
        for ($seed = 0; $seed < 4; $seed++) {
            $this->write($reference->createWriter(self::SPECS), $entities, $seed, $start + $seed);
        }
        foreach ($entities as $entity) {
            foreach (array_keys(self::SPECS) as $metric) {
                $totals = [];
                foreach ([$reference, $theirs, $ours] as $factory) {
                    $reader = $factory->createReader(self::SPECS);
                    $reader->setCurrentTime($start + 5);
                    $totals[] = $reader->getRate($metric, $entity, $reader->latest(30))->total();
                }
                $this->assertSame([$totals[0], $totals[0], $totals[0]], $totals);
            }
        }

        $conditions = ['c' => new LimitCondition(7, 60)];
        $limiters = [$theirs->createRateLimiter($conditions), $ours->createRateLimiter($conditions)];
        for ($hit = 0; $hit < 10; $hit++) {
            $result = $limiters[$hit % 2]->createBatch()->localOp('c', 5)->tryIncr();
            $this->assertSame($hit < 7, $result->isAllowed(), "hit $hit");
            $this->assertSame(min($hit, 7), $result->getAllResults()['c']->prevTotal);
        }

        $writer = $ours->createWriter(self::SPECS);
        $writer->setCurrentTime($start);
        $writer->resetAll([$entities[1]]);
        $reader = $theirs->createReader(self::SPECS);
        $reader->setCurrentTime($start + 5);
        $this->assertSame(0, $reader->getRate('hits', $entities[1], $reader->latest(30))->total());
    }

    public function testAFlushOfTheStoreIsOneCall(): void
    {
        $cache = MediaWiki::ours(['keyspace' => $this->keyspace()]);
        $store = new WRStatsStore($cache->newStatsClient(), $cache);
        $keys = array_map(fn ($i) => $store->makeKey(['p'], ['m', '', $i], new LocalEntityKey(['e'])), range(1, 200));
        $cache->get('k:k');
        $before = $cache->getMetrics();
        $store->incr(array_fill_keys($keys, 3), 60);
        $this->assertSame(200, $cache->getMetrics()['queued'] - $before['queued']);
        $this->assertSame(array_fill_keys($keys, 3), $store->query($keys));
        $after = $cache->getMetrics();
        $this->assertLessThanOrEqual(2, $after['writes'] - $before['writes']);
        $store->delete($keys);
        $this->assertSame([], $store->query($keys));
    }
}
