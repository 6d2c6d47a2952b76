<?php

namespace WRStats\Tests;

use WRStats\MediaWiki\WRStatsBagOStuff;

require_once __DIR__ . '/MemcachedBagOStuff.php';
require_once __DIR__ . '/../CacheContract.php';
// Required alone, as where there is no autoloader.
require_once __DIR__ . '/../../../php/src/MediaWiki/WRStatsBagOStuff.php';

/** WRStatsBagOStuff without MediaWiki, on a stub of its base class. */
final class StubContractTest extends CacheContract
{
    protected function newCache(array $params = []): object
    {
        return new WRStatsBagOStuff($params + ['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
    }

    public function testNothingOfMediaWikiIsThere(): void
    {
        $this->assertFalse(defined('MEDIAWIKI'));
        $this->assertSame('MemcachedBagOStuff', get_parent_class(WRStatsBagOStuff::class));
    }

    /** In a process of its own, since ours has an autoloader. Values, counters and errors come from files of their own. */
    public function testItsFileIsAllThatHasToBeRequired(): void
    {
        $code = <<<'PHP'
            require 'tests/phpunit/stub/MemcachedBagOStuff.php';
            require 'php/src/MediaWiki/WRStatsBagOStuff.php';
            $cache = new WRStats\MediaWiki\WRStatsBagOStuff(['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
            $key = $cache->makeKey('alone', getmypid());
            $value = [str_repeat('text', 1000), 1.5];
            $down = new WRStats\MediaWiki\WRStatsBagOStuff(['servers' => ['127.0.0.1:1']]);
            echo json_encode([
                spl_autoload_functions(), $cache->setMulti([$key => $value], 60), $cache->get($key) === $value,
                $cache->incrWithInit("$key:n", 60), $down->get($key), $down->getLastError(),
            ]);
            PHP;
        $root = dirname(__DIR__, 3);
        $extension = getenv('WRSTATS_EXTENSION') ?: "$root/target/release/libwrstats.so";
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-r', $code];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, $root);
        $this->assertSame('[[],true,true,1,false,2]', stream_get_contents($pipes[1]));
        proc_close($process);
    }

    /** @return array<string, array{array}> */
    public static function otherWaysToStore(): array
    {
        return [
            'classic protocol' => [['wrstats' => ['protocol' => 'classic']]],
            'igbinary' => [['serializer' => 'igbinary']],
            'in this process' => [['servers' => ['memory:']]],
        ];
    }

    /** @dataProvider otherWaysToStore */
    public function testValuesWhereverTheyAreStored(array $params): void
    {
        $cache = $this->newCache($params);
        $values = array_combine($this->keys(count(self::valuesByName())), self::valuesByName());
        $this->assertTrue($cache->setMulti($values, 60));
        $this->assertSame(array_map('serialize', $values), array_map('serialize', $cache->getMulti(array_keys($values))));
        foreach (array_keys($values) as $key) {
            $this->assertTrue($cache->merge($key, fn ($cache, $key, $current) => [$current], 60));
            $this->assertSame(serialize([$values[$key]]), serialize($cache->get($key)));
        }
        $counter = $this->key();
        $this->assertSame(5, $cache->incrWithInit($counter, 60, 2, 5));
        $this->assertTrue($cache->incrWithInit($counter, 60, 2, 5, self::WRITE_BACKGROUND));
        $this->assertEquals(7, $cache->get($counter));
        $this->assertSame(0, $cache->getLastError());
    }
}
