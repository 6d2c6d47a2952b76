--TEST--
generators and fibers may be suspended between queue and flush, inside a PHP store, and for ever
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

const SPECS = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
$w = client(['flush_interval' => 600]);
$count = function (string $key) use ($w): Generator {
    for ($i = 1; ; $i++) {
        $w->incr($key);
        try {
            yield $i;
        } finally {
            // Also when it is thrown away.
            $w->incr("$key-left");
        }
    }
};
$generators = array_map(fn($n) => $count(k("g$n")), range(0, 4));
for ($round = 1; $round <= 10; $round++) {
    foreach ($generators as $n => $generator) {
        same($round, $generator->current(), "generator $n");
        same((string)$round, $w->get(k("g$n")), "queued by generator $n");
        $generator->next();
    }
}
$w->flush();
unset($generator, $generators);
same(true, $w->sync(), 'sync');
same(['11', '11'], [raw()->get(k('g0')), raw()->get(k('g0-left'))], 'counted');

// A store that lets others run in the middle of each of its methods.
final class Store
{
    public array $values = [];
    public function makeKey($prefix, $internals, $entity): string { Fiber::getCurrent() && Fiber::suspend(); return implode(':', [...$prefix, ...$internals, ...$entity->getComponents()]); }
    public function incr(array $values, $ttl): void { Fiber::getCurrent() && Fiber::suspend(); foreach ($values as $k => $v) { $this->values[$k] = ($this->values[$k] ?? 0) + $v; } }
    public function delete(array $keys): void { Fiber::getCurrent() && Fiber::suspend(); $this->values = array_diff_key($this->values, array_flip($keys)); }
    public function query(array $keys): array { Fiber::getCurrent() && Fiber::suspend(); return array_intersect_key($this->values, array_flip($keys)); }
}
$store = new Store;
$on = WRStats::onStore($store);
$on->setCurrentTime(1_790_000_000);
$writer = $on->createWriter(SPECS);
$reader = $on->createReader(SPECS);
$limiter = $on->createRateLimiter(['c' => ['limit' => 1000, 'window' => 60]]);
$work = function (string $who) use ($writer, $reader, $limiter, $w) {
    for ($i = 1; $i <= 5; $i++) {
        // All fibers share the writer, the reader and the limiter.
        $writer->incr('hits', [$who]);
        $writer->flush();
        $limiter->tryIncr('c', [$who]);
        $limiter->peek('c', [$who]);
        $w->incr(k($who));
        Fiber::suspend();
    }
};
$fibers = array_map(fn($n) => new Fiber(fn() => $work("f$n")), range(0, 9));
foreach ($fibers as $fiber) {
    $fiber->start();
}
while ($fibers = array_filter($fibers, fn($fiber) => !$fiber->isTerminated())) {
    foreach ($fibers as $fiber) {
        $fiber->resume();
    }
}
$range = $reader->timeRange(1_790_000_000 - 7200, 1_790_000_000);
for ($n = 0; $n < 10; $n++) {
    same(5, $reader->getRate('hits', ["f$n"], $range)->total(), "hits of fiber $n");
    same(5, $limiter->peek('c', ["f$n"])->prevTotal, "limit of fiber $n");
    same('5', $w->get(k("f$n")), "counter of fiber $n");
}
// One that nobody resumes: it is unwound inside the store's method.
foreach (['makeKey' => 1, 'incr' => 2] as $where => $steps) {
    $fiber = new Fiber(function () use ($writer) {
        $writer->incr('hits', ['left']);
        $writer->flush();
    });
    $fiber->start();
    for ($step = 1; $step < $steps; $step++) {
        $fiber->resume();
    }
    unset($fiber);
    $writer->incr('hits', ["after $where"]);
    $writer->flush();
    same(1, $reader->getRate('hits', ["after $where"], $range)->total(), "after a fiber left in $where");
}
same(true, $w->sync(), 'sync at the end');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
