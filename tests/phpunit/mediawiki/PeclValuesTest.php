<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/MediaWiki.php';
require_once __DIR__ . '/../CacheContract.php';

/** What one of the two caches wrote, the other reads. */
final class PeclValuesTest extends TestCase
{
    public static function values(): array
    {
        return CacheContract::values();
    }

    /** @return array<string, array{array, array}> how the writer and the reader are set up */
    public static function settings(): array
    {
        return [
            'php' => [],
            'igbinary' => ['serializer' => 'igbinary'],
            'hardly anything compressed' => ['compress_threshold' => 1_000_000],
            'everything compressed' => ['compress_threshold' => 1],
        ];
    }

    /** @dataProvider values */
    public function testOtherReads(mixed $value): void
    {
        foreach (self::settings() as $name => $params) {
            $pecl = MediaWiki::pecl($params);
            $ours = MediaWiki::ours($params);
            foreach ([[$pecl, $ours], [$ours, $pecl]] as [$writer, $reader]) {
                $key = $writer->makeKey('values', bin2hex(random_bytes(6)));
                $this->assertTrue($writer->set($key, $value, 60), $name);
                $this->assertSame(serialize($value), serialize($reader->get($key)), $name);
                $this->assertSame(serialize([$key => $value]), serialize($reader->getMulti([$key])), $name);
                $other = $writer->makeKey('values', bin2hex(random_bytes(6)));
                $this->assertTrue($writer->setMulti([$other => $value], 60), $name);
                $this->assertSame(serialize($value), serialize($reader->get($other)), $name);
            }
        }
    }

    /** FastLZ is what PECL compresses with unless php.ini says otherwise; values of all sizes and shapes. */
    public function testCompressedByTheOther(): void
    {
        $ours = MediaWiki::ours(['compress_threshold' => 1]);
        $raw = new RawClient(getenv('WRSTATS_TEST_SERVER'));
        mt_srand(7);
        $seen = $seenOfOurs = [];
        foreach (['fastlz', 'zlib'] as $type) {
            ini_set('memcached.compression_type', $type);
            $pecl = MediaWiki::pecl(['compress_threshold' => 1]);
            for ($i = 0; $i < 400; $i++) {
                $words = array_map(fn () => random_bytes(mt_rand(1, 40)), range(1, mt_rand(1, 30)));
                $value = '';
                for ($size = 2 ** mt_rand(3, 17); strlen($value) < $size;) {
                    $value .= str_repeat($words[array_rand($words)], mt_rand(1, 3) ** mt_rand(1, 5));
                }
                $value = substr($value, 0, 900_000);
                $key = $pecl->makeKey('compressed', $type, $i);
                $pecl->set($key, $value, 60);
                $seen[$raw->item($key)['flags']] = true;
                $this->assertTrue($ours->get($key) === $value, "$type, value $i");
                $ours->set($key, $value, 60);
                $seenOfOurs[$raw->item($key)['flags']] = true;
                $this->assertTrue($pecl->get($key) === $value, "ours, value $i");
            }
        }
        ini_restore('memcached.compression_type');
        // Plain, FastLZ and zlib were all there.
        $this->assertEqualsCanonicalizing([0, 16 | 64, 16 | 32], array_keys($seen));
        $this->assertEqualsCanonicalizing([0, 16 | 64], array_keys($seenOfOurs));
    }

    public function testCountersOfOneAreTheOthers(): void
    {
        $pecl = MediaWiki::pecl();
        $ours = MediaWiki::ours();
        foreach ([0, 64] as $flags) {
            $key = $pecl->makeKey('counters', bin2hex(random_bytes(6)));
            foreach ([$pecl, $ours, $pecl, $ours] as $cache) {
                $cache->incrWithInit($key, 60, 5, 5, $flags);
                $cache->get($key);
            }
            $this->assertSame(20, $ours->get($key), 'made by PECL: an int');
            $this->assertSame(20, $pecl->get($key));

            $key = $pecl->makeKey('counters', bin2hex(random_bytes(6)));
            foreach ([$ours, $pecl, $ours, $pecl] as $cache) {
                $cache->incrWithInit($key, 60, 5, 5, $flags);
                $cache->get($key);
            }
            // memcached's arithmetic commands give what they make no type.
            $this->assertSame('20', $ours->get($key), 'made by ours: a numeric string');
            $this->assertSame('20', $pecl->get($key));
        }
    }

    public function testLocksOfOneHoldTheOther(): void
    {
        $pecl = MediaWiki::pecl();
        $ours = MediaWiki::ours();
        $key = $pecl->makeKey('locks', bin2hex(random_bytes(6)));
        $this->assertTrue($pecl->lock($key, 0));
        $this->assertFalse($ours->lock($key, 0));
        $this->assertTrue($pecl->unlock($key));
        $this->assertTrue($ours->lock($key, 0));
        $this->assertFalse($pecl->lock($key, 0));
    }

    public function testSegmentsOfOneAreTheOthers(): void
    {
        $value = ['text' => random_bytes(2_500_000)];
        foreach (['php', 'igbinary'] as $serializer) {
            $pecl = MediaWiki::pecl(['serializer' => $serializer]);
            $ours = MediaWiki::ours(['serializer' => $serializer]);
            foreach ([[$pecl, $ours], [$ours, $pecl]] as [$writer, $reader]) {
                $key = $writer->makeKey('segments', bin2hex(random_bytes(6)));
                $this->assertTrue($writer->set($key, $value, 60, \BagOStuff::WRITE_ALLOW_SEGMENTS));
                $this->assertTrue($reader->get($key) === $value);
            }
        }
    }

    public function testSameKeysOnTheSameServers(): void
    {
        $servers = [Server::tcp(), Server::tcp(), Server::tcp()];
        $params = ['servers' => array_map(fn ($server) => $server->address, $servers), 'keyspace' => 'wiki'];
        $pecl = MediaWiki::pecl($params);
        $ours = MediaWiki::ours($params);
        $keys = [];
        foreach (['short', 'with space', 'ä%:#', str_repeat('x', 300), 'n'] as $i => $component) {
            $keys[] = $ours->makeKey('group', $component, $i);
            $keys[] = $ours->makeGlobalKey('group', $component, ...array_fill(0, 30, 'many-of-them'));
            $this->assertSame($pecl->makeKey('group', $component, $i), $keys[2 * $i]);
            $this->assertSame($pecl->makeGlobalKey('group', $component, ...array_fill(0, 30, 'many-of-them')), $keys[2 * $i + 1]);
        }
        for ($i = 0; $i < 200; $i++) {
            $keys[] = $ours->makeKey('spread', $i);
        }
        $this->assertTrue($pecl->setMulti(array_fill_keys($keys, 'p'), 60));
        $this->assertSame(array_fill_keys($keys, 'p'), $ours->getMulti($keys));
        $this->assertTrue($ours->setMulti(array_fill_keys($keys, 'o'), 60));
        $this->assertEquals(array_fill_keys($keys, 'o'), $pecl->getMulti($keys));
        $items = array_map(fn ($server) => $server->raw()->stat('curr_items'), $servers);
        $this->assertSame(count(array_unique($keys)), array_sum($items), 'no key is on two servers');
        foreach ($servers as $server) {
            $server->kill();
        }
    }
}
