<?php

/**
 * MediaWiki's object cache, WRStats and rate limits on the extension, beside its own on PECL memcached: as it comes, and
 * with Nagle's algorithm off. One process, one server.
 *
 * What was written is read back and checked after each run, outside the time that is measured. The time of background writes
 * ends when the last of them is with the kernel. usage: with-memcached.sh bench.sh mediawiki
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/../phpunit/mediawiki/MediaWiki.php';

use Wikimedia\WRStats\BagOStuffStatsStore;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\WRStatsFactory;
use WRStats\MediaWiki\NativeWRStatsFactory;
use WRStats\MediaWiki\WRStatsStore;
use WRStats\Tests\MediaWiki;

const FILTERS = 300;
const SEQUENCES = ['sequences' => [['timeStep' => 7200, 'expiry' => 86400]]];
const SPECS = [
    'count' => SEQUENCES, 'total' => SEQUENCES, 'overflow' => SEQUENCES, 'matches' => SEQUENCES,
    'total-time' => ['resolution' => 1e-3] + SEQUENCES, 'total-cond' => SEQUENCES,
];
const PECL = 'PECL memcached, as it comes';
const PECL_NO_DELAY = 'PECL memcached, Nagle off';
const SERIALIZING = 'serialize() of the values alone';
const BACKGROUND = BagOStuff::WRITE_BACKGROUND;

$findings = new Findings('mediawiki');
$run = bin2hex(random_bytes(4));
$ours = MediaWiki::ours();
$caches = [
    'ours' => $ours,
    PECL => MediaWiki::pecl(['allow_tcp_nagle_delay' => true]),
    PECL_NO_DELAY => MediaWiki::pecl(['allow_tcp_nagle_delay' => false]),
];
$client = $ours->newStatsClient();

/**
 * A race, its table, and the ratios that are wanted of it.
 *
 * @param array<string, callable(int): mixed> $peers
 * @param callable(string, int, mixed): void $check
 * @param list<array{string, string, float}> $wanted faster, slower, how many times as fast it has to be
 * @return array<string, float> medians
 */
function duel(string $title, string $of, array $peers, callable $check, array $wanted, int $each = 1): array
{
    global $findings, $caches, $client;
    $times = race($title, $peers, $each, function (string $name, int $number, mixed $answer) use ($caches, $client, $check): ?int {
        // Everything has arrived, and nobody's next turn starts behind somebody else's bytes.
        $client->sync();
        $caches[PECL]->get('settle');
        $caches[PECL_NO_DELAY]->get('settle');
        $check($name, $number, $answer);

        return null;
    });
    $medians = $findings->table($title, $of, $times, 'wall');
    foreach ($wanted as [$faster, $slower, $least]) {
        $findings->wanted("$title: $slower / $faster", $medians[$slower] / $medians[$faster], '>=', $least);
    }

    return $medians;
}

// ---- an edit, as AbuseFilter's FilterProfiler counts it ----

$factories = [
    'native factory' => NativeWRStatsFactory::onCache($ours),
    'PHP\'s WRStats on WRStatsStore' => new WRStatsFactory(new WRStatsStore($client, $ours)),
    'PHP\'s WRStats on our BagOStuff' => new WRStatsFactory(new BagOStuffStatsStore($ours)),
    PECL => new WRStatsFactory(new BagOStuffStatsStore($caches[PECL])),
    PECL_NO_DELAY => new WRStatsFactory(new BagOStuffStatsStore($caches[PECL_NO_DELAY])),
];
$prefix = fn (string $peer) => ["edit-$run", md5($peer)];
$edit = fn (string $peer, WRStatsFactory $factory) => function () use ($peer, $factory, $prefix, $client) {
    $prefix = $prefix($peer);
    for ($filter = 0; $filter < FILTERS; $filter++) {
        $key = new LocalEntityKey(['filter', (string)$filter]);
        $writer = $factory->createWriter(SPECS, $prefix);
        $writer->incr('count', $key);
        $writer->incr('matches', $key);
        $writer->incr('total-time', $key, 0.25);
        $writer->incr('total-cond', $key, 12);
        $writer->flush();
        unset($writer);
    }
    // As the end of a request does. PECL has sent all it has.
    if (!str_starts_with($peer, 'PECL')) {
        $client->flush();
    }
};
$peers = [];
foreach ($factories as $name => $factory) {
    $peers[$name] = $edit($name, $factory);
}
$done = array_fill_keys(array_keys($peers), 0);
$medians = duel('MediaWiki\'s API, an edit: ' . FILTERS . ' filters x 4 counters', 'one edit', $peers, function (string $name) use ($factories, $prefix, &$done) {
    $reader = $factories[PECL_NO_DELAY]->createReader(SPECS, $prefix($name));
    $sum = ['count' => 0, 'matches' => 0, 'total-time' => 0.0, 'total-cond' => 0];
    foreach ([0, 1, 150, FILTERS - 1] as $filter) {
        $key = new LocalEntityKey(['filter', (string)$filter]);
        foreach ($reader->total($reader->getRates(array_keys($sum), $key, $reader->latest(7200))) as $metric => $total) {
            $sum[$metric] += $total;
        }
    }
    // The bucket may have changed meanwhile: then the share of the one before is interpolated, for all peers.
    $times = 4 * ++$done[$name];
    check(['count' => $times, 'matches' => $times, 'total-time' => 0.25 * $times, 'total-cond' => 12 * $times], $sum, "$name, edit");
}, [
    ['native factory', PECL, 30],
    ['native factory', PECL_NO_DELAY, 30],
    ['PHP\'s WRStats on our BagOStuff', PECL, 1.3],
    ['PHP\'s WRStats on our BagOStuff', PECL_NO_DELAY, 1.3],
]);
$findings->wanted('MediaWiki\'s API, an edit on the native factory', $medians['native factory'] / 1000, '<=', 0.22, 'ms');

// ---- limits, as core's RateLimiter asks ----

$limit = fn (WRStatsFactory $factory, string $peer) => function (int $number) use ($factory, $run, $peer) {
    $conditions = ['user' => new LimitCondition(8, 60), 'ip' => new LimitCondition(100, 3600)];
    $limiter = $factory->createRateLimiter($conditions, ['limiter', "edit-$run"]);
    $batch = $limiter->createBatch(1);
    $batch->localOp('user', [md5($peer), $number]);
    $result = $batch->tryIncr();
    foreach ($result->getFailedResults() as $type => $failed) {
        throw new LogicException("$type: {$failed->prevTotal} of {$failed->condition->limit}");
    }

    return $result->getAllResults()['user']->prevTotal;
};
$checks = 5;
$limits = [];
foreach (['native factory', PECL, PECL_NO_DELAY] as $name) {
    $ask = $limit($factories[$name], $name);
    // Several in a row: what one wrote is in the next one's way.
    $limits[$name] = function (int $number) use ($ask, $checks) {
        $totals = [];
        for ($i = 0; $i < $checks; $i++) {
            $totals[] = $ask($number);
        }

        return $totals;
    };
}
$totals = fn (string $name, int $number, array $totals) => check(range(0, $checks - 1), $totals, "$name, limit");
duel('MediaWiki\'s API, a limit check of one condition, 30 buckets', 'one check', $limits, $totals, [
    ['native factory', PECL_NO_DELAY, 4],
    ['native factory', PECL, 300],
], $checks);

// ---- many values at once ----

$keys = fn (string $peer, string $what, int $count) => array_map(fn ($i) => "local:bench:$run:" . md5($peer) . ":$what:$i", range(1, $count));
$sets = [
    '100 strings of 100 bytes' => fn (int $i) => str_pad("value $i", 100, '.'),
    '100 ints' => fn (int $i) => $i,
    '100 small arrays' => fn (int $i) => ['id' => $i, 'name' => "Name $i", 'flags' => [1, 2, 3]],
    '100 arrays of 3 KB, compressed by their writer' => fn (int $i) => array_fill(0, 60, ['id' => $i, 'text' => "text of $i"]),
];
foreach ($sets as $what => $make) {
    $peers = $values = [];
    foreach ($caches as $name => $cache) {
        $values[$name] = array_combine($keys($name, md5($what), 100), array_map($make, range(1, 100)));
        $cache->setMulti($values[$name], 600);
        $wanted = array_keys($values[$name]);
        $peers[$name] = fn () => $cache->getMulti($wanted);
    }
    $found = fn (string $name, int $number, array $found) => check($values[$name], $found, "$name, getMulti");
    duel("MediaWiki's API, getMulti of $what", 'one call', $peers, $found, [['ours', PECL, 1], ['ours', PECL_NO_DELAY, 1]]);
}

// ---- many in the background ----

$string = str_pad('value', 100, '.');
$array = ['id' => 7, 'name' => 'Name of 7', 'flags' => [1, 2, 3]];
foreach ([['setMulti', $string], ['setMulti', 7], ['setMulti', $array], ['changeTTLMulti', $string], ['deleteMulti', $string]] as [$method, $value]) {
    $peers = [];
    foreach ($caches as $name => $cache) {
        $names = $keys($name, $method, 1000);
        $values = array_fill_keys($names, $value);
        $cache->setMulti($values, 600);
        $call = match ($method) {
            'setMulti' => fn () => $cache->setMulti($values, 600, BACKGROUND),
            'changeTTLMulti' => fn () => $cache->changeTTLMulti($names, 700, BACKGROUND),
            'deleteMulti' => fn () => $cache->deleteMulti($names, BACKGROUND),
        };
        $peers[$name] = $cache !== $ours ? $call : function () use ($call, $client) {
            $done = $call();
            $client->flush();

            return $done;
        };
    }
    // What both have to do, in C and in a loop of PHP's: no ratio can be better than it allows.
    if (is_array($value)) {
        $peers[SERIALIZING] = fn () => array_map('serialize', $values) !== [];
    }
    $arrived = function (string $name, int $number, bool $done) use ($method, $caches, $keys) {
        check(true, $done, "$name, $method");
        if ($name === SERIALIZING) {
            return;
        }
        $names = $keys($name, $method, 1000);
        $found = count($caches[PECL_NO_DELAY]->getMulti($names));
        check($method === 'deleteMulti' ? 0 : 1000, $found, "$name, $method");
        if ($method === 'deleteMulti') {
            $caches[$name]->setMulti(array_fill_keys($names, 'value'), 600);
        }
    };
    $what = gettype($value) . 's';
    duel("MediaWiki's API, $method of 1,000 keys in the background, $what", 'one call', $peers, $arrived, [['ours', PECL, 5], ['ours', PECL_NO_DELAY, 5]]);
}
