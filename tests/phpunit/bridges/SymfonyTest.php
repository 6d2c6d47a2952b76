<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;
use Symfony\Component\RateLimiter\CompoundLimiter;
use Symfony\Component\RateLimiter\Exception\RateLimitExceededException;
use Symfony\Component\RateLimiter\Exception\ReserveNotSupportedException;
use Symfony\Component\RateLimiter\LimiterInterface;
use WRStats\ConnectionException;
use WRStats\Symfony\LimiterFactory;

require_once 'Symfony/Component/RateLimiter/autoload.php';

/** The bridge to symfony/rate-limiter. */
final class SymfonyTest extends TestCase
{
    private \WRStats $stats;
    private string $id;

    protected function setUp(): void
    {
        $this->stats = new \WRStats(['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
        $this->id = 'symfony-' . bin2hex(random_bytes(6));
    }

    private function factory(int $limit = 3, int|string|\DateInterval $interval = 60, bool $strict = true): LimiterFactory
    {
        return new LimiterFactory($this->stats, $this->id, $limit, $interval, $strict);
    }

    /**
     * @testWith [true]
     *           [false]
     */
    public function testTheLimitAndNoMore(bool $strict): void
    {
        $limiter = $this->factory(strict: $strict)->create('10.0.0.1');
        $this->assertInstanceOf(LimiterInterface::class, $limiter);
        $accepted = $left = [];
        for ($i = 0; $i < 5; $i++) {
            $result = $limiter->consume();
            $accepted[] = $result->isAccepted();
            $left[] = $result->getRemainingTokens();
            $this->assertSame(3, $result->getLimit());
        }
        $this->assertSame([true, true, true, false, false], $accepted);
        $this->assertSame([2, 1, 0, 0, 0], $left);
        $wait = (float)$result->getRetryAfter()->format('U.u') - microtime(true);
        $this->assertGreaterThan(55, $wait);
        // Strict limits count whole thirtieths of the window, and one more.
        $this->assertLessThan(64.1, $wait);
        $this->expectException(RateLimitExceededException::class);
        $result->ensureAccepted();
    }

    public function testEachKeyByItself(): void
    {
        $factory = $this->factory(1);
        $this->assertTrue($factory->create('a')->consume()->isAccepted());
        $this->assertFalse($factory->create('a')->consume()->isAccepted());
        $this->assertTrue($factory->create('b')->consume()->isAccepted());
        $this->assertTrue($factory->create()->consume()->isAccepted());
        $this->assertFalse($factory->create()->consume()->isAccepted());
    }

    public function testSeveralTokensAreTakenWholeOrNotAtAll(): void
    {
        $limiter = $this->factory(5)->create('a');
        $this->assertTrue($limiter->consume(3)->isAccepted());
        $this->assertFalse($limiter->consume(3)->isAccepted());
        $this->assertSame(2, $limiter->consume(0)->getRemainingTokens());
        $this->assertTrue($limiter->consume(2)->isAccepted());
        $this->expectException(\InvalidArgumentException::class);
        $limiter->consume(6);
    }

    /**
     * @testWith [true]
     *           [false]
     */
    public function testResetForgives(bool $strict): void
    {
        $factory = $this->factory(2, strict: $strict);
        $limiter = $factory->create('a');
        $limiter->consume(2);
        $factory->create('b')->consume(2);
        $this->assertFalse($limiter->consume()->isAccepted());
        $limiter->reset();
        $this->assertSame(1, $limiter->consume()->getRemainingTokens());
        $this->assertFalse($factory->create('b')->consume()->isAccepted(), 'others are as they were');
    }

    public function testTokensComeBackWithTime(): void
    {
        $limiter = $this->factory(1, '1 second')->create('a');
        $this->assertTrue($limiter->consume()->isAccepted());
        $refused = $limiter->consume();
        $this->assertFalse($refused->isAccepted());
        $refused->wait();
        usleep(50_000);
        $this->assertTrue($limiter->consume()->isAccepted());
    }

    public function testIntervals(): void
    {
        foreach (['1 hour', 3600, new \DateInterval('PT1H')] as $i => $interval) {
            $limiter = new LimiterFactory($this->stats, "$this->id-$i", 1, $interval);
            $limiter->create()->consume();
            $wait = (float)$limiter->create()->consume()->getRetryAfter()->format('U.u') - microtime(true);
            $this->assertGreaterThan(3590, $wait);
            $this->assertLessThan(3841, $wait);
        }
        $this->expectException(\ValueError::class);
        new LimiterFactory($this->stats, $this->id, 1, 'soon');
    }

    public function testInACompoundLimiter(): void
    {
        $second = new LimiterFactory($this->stats, "$this->id-2", 1, 60);
        $both = new CompoundLimiter([$this->factory(10)->create('a'), $second->create('a')]);
        $this->assertTrue($both->consume()->isAccepted());
        $this->assertFalse($both->consume()->isAccepted());
        $both->reset();
        $this->assertTrue($both->consume()->isAccepted());
    }

    public function testThereIsNothingToReserve(): void
    {
        $this->expectException(ReserveNotSupportedException::class);
        $this->factory()->create('a')->reserve();
    }

    public function testADeadServerLetsThroughAndTells(): void
    {
        $down = new \WRStats(['servers' => ['127.0.0.1:1']]);
        $this->assertTrue((new LimiterFactory($down, $this->id, 1, 60))->create()->consume()->isAccepted());
        $told = [];
        $limiter = new LimiterFactory($down, $this->id, 1, 60, onFailure: function ($failure) use (&$told) {
            $told[] = $failure->getServer();
        });
        $this->assertTrue($limiter->create()->consume()->isAccepted());
        $this->assertSame(['127.0.0.1:1'], $told);
        $closed = new LimiterFactory($down, $this->id, 1, 60, onFailure: fn ($failure) => throw $failure);
        $this->expectException(ConnectionException::class);
        $closed->create()->consume();
    }
}
