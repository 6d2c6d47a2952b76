<?php

namespace WRStats\Tests;

use Illuminate\Cache\MemcachedStore;
use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\Repository;
use PHPUnit\Framework\TestCase;
use WRStats\Laravel\Store;

require_once 'Illuminate/Cache/autoload.php';

/** The bridge to Laravel: a cache store, and its RateLimiter on that. */
final class LaravelTest extends TestCase
{
    private Store $store;
    private Repository $cache;
    private string $prefix;

    protected function setUp(): void
    {
        $this->prefix = 'laravel-' . bin2hex(random_bytes(6));
        $this->store = new Store(new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')]]), $this->prefix);
        $this->cache = new Repository($this->store);
    }

    public function testValuesThroughTheRepository(): void
    {
        $this->assertTrue($this->cache->put('a', ['x' => 1], 60));
        $this->assertSame(['x' => 1], $this->cache->get('a'));
        $this->assertTrue($this->cache->has('a'));
        $this->assertNull($this->cache->get('missing'));
        $this->assertSame('instead', $this->cache->get('missing', 'instead'));
        $this->assertTrue($this->cache->forever('b', 2.5));
        $this->assertSame(['b' => 2.5, 'missing' => null], $this->cache->many(['b', 'missing']));
        $this->assertTrue($this->cache->putMany(['c' => 'text', 'd' => 4, 'e' => '5'], 60));
        $this->assertSame(['c' => 'text', 'd' => 4, 'e' => '5'], $this->cache->many(['c', 'd', 'e']));
        $this->assertTrue($this->cache->forget('a'));
        $this->assertFalse($this->cache->has('a'));
        $this->assertSame('made', $this->cache->remember('f', 60, fn () => 'made'));
        $this->assertSame('made', $this->cache->remember('f', 60, fn () => 'made again'));
    }

    public function testAddOnlyOnce(): void
    {
        $this->assertTrue($this->cache->add('a', 1, 60));
        $this->assertFalse($this->cache->add('a', 2, 60));
        $this->assertSame(1, $this->cache->get('a'));
    }

    public function testCounters(): void
    {
        $this->assertSame(1, $this->cache->increment('new'));
        $this->assertSame(4, $this->cache->increment('new', 3));
        $this->assertSame(2, $this->cache->decrement('new', 2));
        $this->assertSame(0, $this->cache->increment('new', -5), 'never below 0');
        $this->assertFalse($this->cache->decrement('missing'));
        $this->cache->put('ten', 10, 60);
        $this->assertSame(9, $this->cache->decrement('ten'));
        $this->assertSame(9, $this->cache->get('ten'), 'still an int, though it got shorter');
        $this->cache->put('text', 'x', 60);
        $this->assertFalse($this->cache->increment('text'));
    }

    public function testTags(): void
    {
        $this->cache->tags(['people', 'authors'])->put('a', 'Anne', 60);
        $this->assertSame('Anne', $this->cache->tags(['people', 'authors'])->get('a'));
        $this->cache->tags('authors')->flush();
        $this->assertNull($this->cache->tags(['people', 'authors'])->get('a'));
    }

    public function testALockIsHeldByOneAndReleasedByItsOwnerOnly(): void
    {
        $mine = $this->store->lock('job', 10);
        $theirs = $this->store->lock('job', 10);
        $this->assertTrue($mine->get());
        $this->assertFalse($theirs->get());
        $this->assertFalse($theirs->release());
        $this->assertFalse($theirs->get(), 'a release by another changed nothing');
        $this->assertTrue($this->store->restoreLock('job', $mine->owner())->release());
        $this->assertTrue($theirs->get());
        $theirs->forceRelease();
        $this->assertSame('done', $mine->get(fn () => 'done'));
        $this->assertTrue($theirs->get(), 'released behind the callback');
    }

    public function testRateLimiterCountsEachAttempt(): void
    {
        $limiter = new RateLimiter($this->cache);
        $outcomes = [];
        for ($i = 0; $i < 5; $i++) {
            $outcomes[] = $limiter->attempt('login', 3, fn () => 'in', 60);
        }
        $this->assertSame(['in', 'in', 'in', false, false], $outcomes);
        $this->assertSame(0, $limiter->remaining('login', 3));
        $this->assertGreaterThan(55, $limiter->availableIn('login'));
        $this->assertSame(3, $limiter->remaining('other', 3));
        $limiter->clear('login');
        $this->assertSame('in', $limiter->attempt('login', 3, fn () => 'in', 60));
    }

    public function testRateLimiterLetsInAgainAfterTheDecay(): void
    {
        $limiter = new RateLimiter($this->cache);
        $limiter->hit('login', 1);
        $this->assertTrue($limiter->tooManyAttempts('login', 1));
        usleep(2_100_000);
        $this->assertFalse($limiter->tooManyAttempts('login', 1));
    }

    public function testADeadServerIsAMissAndNeverStopsThePage(): void
    {
        $cache = new Repository(new Store(new \WRStats(['servers' => ['127.0.0.1:1']])));
        $this->assertSame('instead', $cache->get('a', 'instead'));
        $this->assertFalse($cache->put('a', 1, 60));
        $this->assertFalse($cache->add('a', 1, 60));
        $this->assertFalse($cache->increment('a'));
        $this->assertFalse($cache->forget('a'));
        $this->assertFalse($cache->getStore()->lock('a', 5)->get());
        $this->assertSame('in', (new RateLimiter($cache))->attempt('login', 3, fn () => 'in', 60));
    }

    public function testFlushDoesNotPretend(): void
    {
        $this->cache->put('a', 1, 60);
        $this->assertFalse($this->store->flush());
        $this->assertSame(1, $this->cache->get('a'));
    }

    public function testLaravelsOwnMemcachedStoreReadsItAndIsRead(): void
    {
        [$host, $port] = explode(':', getenv('WRSTATS_TEST_SERVER'));
        $pecl = new \Memcached();
        $pecl->addServer($host, (int)$port);
        $theirs = new Repository(new MemcachedStore($pecl, $this->prefix));
        foreach (['int' => 7, 'text' => 'x', 'list' => [1, 2], 'yes' => true] as $key => $value) {
            $this->cache->put("ours-$key", $value, 60);
            $theirs->put("theirs-$key", $value, 60);
            $this->assertSame($value, $theirs->get("ours-$key"));
            $this->assertSame($value, $this->cache->get("theirs-$key"));
        }
        $theirs->put('count', 5, 60);
        $this->assertSame(6, $this->cache->increment('count'));
        $this->assertSame(6, $theirs->get('count'));
    }
}
