--TEST--
MediaWiki's WRStats on PECL memcached and ours, both writing at once on one server: each totals what both wrote
--EXTENSIONS--
wrstats
mbstring
igbinary
msgpack
memcached
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip_without_mediawiki.inc';
--FILE--
<?php

require __DIR__ . '/../inc/parity.inc';

use Wikimedia\WRStats\BagOStuffStatsStore;
use Wikimedia\WRStats\GlobalEntityKey;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\WRStatsFactory;
use WRStats\Tests\Server;

$server = Server::tcp();
$specs = [
    'hits' => ['sequences' => [['timeStep' => 60, 'expiry' => 3600], ['name' => 'long', 'timeStep' => 600, 'expiry' => 86400]]],
    'time' => ['resolution' => 0.001, 'sequences' => [['timeStep' => 60, 'expiry' => 3600]]],
];
$entities = [null, new LocalEntityKey(['filter', 7]), new GlobalEntityKey(['a:b', 'é', '']), new LocalEntityKey([str_repeat('long', 80)])];
$factory = [
    'theirs' => fn() => new WRStatsFactory(new BagOStuffStatsStore(mediawiki_bag($server->address))),
    'meta' => fn() => new WRStats(['servers' => [$server->address], 'long_keys' => 'mediawiki-1.39']),
    'classic' => fn() => new WRStats(['servers' => [$server->address], 'protocol' => 'classic', 'long_keys' => 'mediawiki-1.39']),
];
$base = 1_699_999_800;
const ROUNDS = 60;
$pids = [];
foreach ([['theirs', 1], ['theirs', 2], ['meta', 3], ['meta', 4], ['classic', 5]] as [$who, $step]) {
    if (($pids[] = pcntl_fork()) === 0) {
        $f = $factory[$who]();
        for ($i = 0; $i < ROUNDS; $i++) {
            $f->setCurrentTime($base + $i % 10 * 60);
            $w = $f->createWriter($specs, ['app', 'x y']);
            foreach ($entities as $entity) {
                $w->incr('hits', $entity, $step);
                $w->incr('time', $entity, $step / 8);
            }
            $w->flush();
        }
        unset($w);
        if ($f instanceof WRStats) {
            same(true, $f->sync(5), "$who: sync");
        }
        exit(0);
    }
}
foreach ($pids as $pid) {
    pcntl_waitpid($pid, $status);
    same(0, $status, 'exit code');
}
$hits = ROUNDS * (1 + 2 + 3 + 4 + 5);
$time = ROUNDS * (0.125 + 0.25 + 0.375 + 0.5 + 0.625);
foreach ($factory as $who => $make) {
    $f = $make();
    $f->setCurrentTime($base + 600);
    foreach ([600, 3600, 86400] as $seconds) {
        foreach ($entities as $j => $entity) {
            $r = $f->createReader($specs, ['app', 'x y']);
            $totals = $r->total($r->getRates(['hits', 'time'], $entity, $r->latest($seconds)));
            same($hits, $totals['hits'], "$who: hits of $j in the last $seconds");
            if ($seconds <= 3600) {
                between($time - 1e-6, $time + 1e-6, $totals['time'], "$who: time of $j in the last $seconds");
            }
        }
    }
}
// One limit for all of them, in turn and at once.
$conditions = ['edit' => new Wikimedia\WRStats\LimitCondition(30, 3600)];
$limiters = array_map(fn($make) => $make()->createRateLimiter($conditions, 'limiter'), $factory);
$allowed = array_fill_keys(array_keys($factory), 0);
for ($i = 0; $i < 60; $i++) {
    $who = array_keys($factory)[$i % 3];
    $allowed[$who] += (int)$limiters[$who]->tryIncr('edit', new LocalEntityKey(['user']))->isAllowed();
    // Ours counts in the background.
    $who === 'theirs' || $factory[$who]()->sync();
}
same(['theirs' => 10, 'meta' => 10, 'classic' => 10], $allowed, 'let through');
$batch = fn($who) => $limiters[$who]->createBatch()->globalOp('edit', ['ip', '10.0.0.1'])->tryIncr();
foreach (['meta', 'theirs', 'classic', 'theirs'] as $i => $who) {
    same($i, $batch($who)->getAllResults()['edit']->prevTotal, "batch $i, $who");
    $who === 'theirs' || $factory[$who]()->sync();
}
// What one resets is gone for the other.
$w = $factory['theirs']()->createWriter($specs, ['app', 'x y']);
$w->setCurrentTime($base + 600);
$w->resetAll([$entities[1]]);
$w = ($ours = $factory['meta']())->createWriter($specs, ['app', 'x y']);
$w->setCurrentTime($base + 600);
$w->resetAll([$entities[2]]);
$ours->sync();
foreach ($factory as $who => $make) {
    $f = $make();
    $f->setCurrentTime($base + 600);
    $r = $f->createReader($specs, ['app', 'x y']);
    same([$hits, 0, 0, $hits], array_map(fn($e) => $r->getRate('hits', $e, $r->latest(3600))->total(), $entities), "$who: after resetAll()");
}
echo "done\n";
--EXPECT--
done
