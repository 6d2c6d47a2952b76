--TEST--
cycles through stores, entities and everything made from a handle are collected
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

final class Store
{
    public static int $alive = 0;
    public array $holds = [];
    public array $values = [];
    public function __construct() { self::$alive++; }
    public function __destruct() { self::$alive--; }
    public function makeKey($prefix, $internals, $entity): string { return implode(':', [...$prefix, ...$internals, ...$entity->getComponents()]); }
    public function incr(array $values, $ttl): void { foreach ($values as $k => $v) { $this->values[$k] = ($this->values[$k] ?? 0) + $v; } }
    public function delete(array $keys): void { $this->values = []; }
    public function query(array $keys): array { return array_intersect_key($this->values, array_flip($keys)); }
}
final class Entity
{
    public static int $alive = 0;
    public array $holds = [];
    public function __construct() { self::$alive++; }
    public function __destruct() { self::$alive--; }
    public function getComponents(): array { return ['e']; }
    public function isGlobal(): bool { return false; }
}
final class Condition
{
    public static int $alive = 0;
    public array $holds = [];
    public $limit = 8;
    public $window = 60;
    public function __construct() { self::$alive++; }
    public function __destruct() { self::$alive--; }
}
$specs = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
$round = function () use ($specs) {
    for ($i = 0; $i < 50; $i++) {
        $store = new Store;
        $entity = new Entity;
        $condition = new Condition;
        $on = WRStats::onStore($store);
        $writer = $on->createWriter($specs);
        $writer->incr('hits', $entity, 2);
        $reader = $on->createReader($specs);
        $range = $reader->latest(7200);
        $rate = $reader->getRate('hits', $entity, $range);
        $limiter = $on->createRateLimiter(['c' => $condition]);
        $batch = $limiter->createBatch()->localOp('c', ['x']);
        $batch->tryIncr();
        // Gathered and asked for, not flushed and not fetched: whoever collects has to see through that.
        $everything = [$on, $writer, $reader, $rate, $limiter, $batch, $range];
        $store->holds = $everything;
        $entity->holds = $everything;
        $condition->holds = $everything;
        // And on the client, which holds no PHP store but entities.
        $w = client();
        $writer2 = $w->createWriter($specs, k('w'));
        $entity2 = new Entity;
        $writer2->incr('hits', $entity2);
        $reader2 = $w->createReader($specs, k('w'));
        $entity2->holds = [$w, $writer2, $reader2, $reader2->getRate('hits', $entity2, $reader2->latest(60))];
        unset($store, $entity, $condition, $on, $writer, $reader, $range, $rate, $limiter, $batch, $everything, $w, $writer2, $entity2, $reader2);
    }
    gc_collect_cycles();
    // What destructors flushed may have made garbage anew.
    gc_collect_cycles();
    same([0, 0, 0], [Store::$alive, Entity::$alive, Condition::$alive], 'still alive');
    return memory_get_usage();
};
$round();
$before = $round();
between(-1024, 1024, $round() - $before, 'bytes more after another round');
$w = client();
$reader = $w->createReader($specs, k('w'));
same(150, $reader->getRate('hits', ['e'], $reader->latest(7200))->total(), 'counted by collected writers');
echo "done\n";
--EXPECT--
done
