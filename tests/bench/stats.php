<?php

/**
 * Writers, readers and rate limiters beside MediaWiki's own WRStats on PECL memcached, one server, one process:
 *
 * - an edit under the abuse filter: 300 filters, each with a writer, 4 increments and a flush;
 * - reading one filter's profile: 4 metrics of 14 buckets;
 * - tryIncr() with 30 buckets.
 *
 * What was counted is read back and compared. usage: with-memcached.sh bench.sh stats
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/../support/php/mediawiki.php';

use Wikimedia\WRStats\BagOStuffStatsStore;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\WRStatsFactory;

const FILTERS = 300;
const SEQUENCE = ['timeStep' => 7200, 'expiry' => 86400];
const SPECS = [
    'count' => ['sequences' => [SEQUENCE]],
    'total' => ['sequences' => [SEQUENCE]],
    'overflow' => ['sequences' => [SEQUENCE]],
    'matches' => ['sequences' => [SEQUENCE]],
    'total-time' => ['resolution' => 1e-3, 'sequences' => [SEQUENCE]],
    'total-cond' => ['sequences' => [SEQUENCE]],
];

$findings = new Findings('stats');
$address = getenv('WRSTATS_TEST_SERVER');
$run = bin2hex(random_bytes(4));
$ours = new WRStats(['servers' => [$address], 'keyspace' => 'local']);
$theirs = [];
foreach (['MediaWiki on PECL, default' => false, 'MediaWiki on PECL, TCP_NODELAY' => true] as $name => $noDelay) {
    $bag = new MemcachedPeclBagOStuff(['servers' => [$address], 'persistent' => false, 'keyspace' => 'local']);
    (function () use ($noDelay) {
        foreach (get_object_vars($this) as $value) {
            if ($value instanceof Memcached && $noDelay) {
                $value->setOption(Memcached::OPT_TCP_NODELAY, true);
            }
        }
    })->call($bag);
    $theirs[$name] = new WRStatsFactory(new BagOStuffStatsStore($bag));
}

// ---- an edit ----

$edit = fn($factory, $prefix, $key) => function () use ($factory, $prefix, $key) {
    for ($filter = 0; $filter < FILTERS; $filter++) {
        $writer = $factory->createWriter(SPECS, $prefix);
        $entity = $key('filter', $filter);
        $writer->incr('count', $entity);
        $writer->incr('matches', $entity, 1);
        $writer->incr('total-time', $entity, 0.25);
        $writer->incr('total-cond', $entity, 12);
        $writer->flush();
    }
    if ($factory instanceof WRStats) {
        $factory->flush();
    }
};
$stream = stream_socket_client("tcp://$address");
stream_set_write_buffer($stream, 0);
$hand = function () use ($stream, $run) {
    $bucket = (int)(microtime(true) / 7200);
    $out = '';
    for ($filter = 0; $filter < FILTERS; $filter++) {
        $tail = ":$bucket:filter:$filter N93600 J";
        $out .= "ma local:hand$run:count:{$tail}1 q\r\nma local:hand$run:matches:{$tail}1 q\r\n"
            . "ma local:hand$run:total-time:{$tail}250 D250 q\r\nma local:hand$run:total-cond:{$tail}12 D12 q\r\n";
        if (strlen($out) > 60_000) {
            fwrite($stream, $out);
            $out = '';
        }
    }
    fwrite($stream, $out . "mn\r\n");
};
$key = fn(...$components) => WRStats\EntityKey::local(...$components);
$mediawiki = 'MediaWiki on PECL, default';
$counts = ['ours' => 0, $mediawiki => 0, 'by hand on a PHP stream' => 0];
$times = race('an edit', [
    'ours' => $edit($ours, "ours$run", $key),
    'by hand on a PHP stream' => $hand,
    $mediawiki => $edit($theirs[$mediawiki], "theirs$run", fn(...$components) => new LocalEntityKey($components)),
], 1, function (string $name) use ($ours, $stream, &$counts): ?int {
    $counts[$name]++;
    if ($name === 'ours') {
        $ours->sync();
    } elseif ($name === 'by hand on a PHP stream') {
        do {
            $line = fgets($stream);
        } while ($line !== "MN\r\n");
    }

    return null;
});
$medians = $findings->table('An edit: ' . FILTERS . ' filters x 4 metrics, a writer for each filter', 'one edit', $times, 'wall');
foreach (['ours' => "ours$run", $mediawiki => "theirs$run", 'by hand on a PHP stream' => "hand$run"] as $name => $prefix) {
    $reader = $ours->createReader(SPECS, $prefix);
    $sums = ['count' => 0, 'matches' => 0, 'total-time' => 0, 'total-cond' => 0];
    for ($filter = 0; $filter < FILTERS; $filter++) {
        foreach ($reader->total($reader->getRates(array_keys($sums), ['filter', $filter], $reader->latest(7200))) as $metric => $total) {
            // The bucket before this one is cut where the range begins; nothing was counted in it, unless it is just over.
            $sums[$metric] += $total;
        }
    }
    foreach (['count' => 1, 'matches' => 1, 'total-time' => 0.25, 'total-cond' => 12] as $metric => $each) {
        check(round($each * FILTERS * $counts[$name], 2), round($sums[$metric], 2), "$name: $metric");
    }
}
$findings->wanted('an edit, native', $medians['ours'] / 1000, '<=', 0.12, 'ms');
$findings->wanted('an edit: MediaWiki on PECL / ours', $medians[$mediawiki] / $medians['ours'], '>=', 55);
$findings->wanted('an edit: ours / by hand on a PHP stream', $medians['ours'] / $medians['by hand on a PHP stream'], '<=', 1.15);

// ---- a profile ----

$metrics = ['count', 'matches', 'total-time', 'total-cond'];
$profile = fn($factory, $entity, $prefix) => function () use ($factory, $entity, $prefix, $metrics) {
    $reader = $factory->createReader(SPECS, $prefix);

    return $reader->total($reader->getRates($metrics, $entity, $reader->latest(86400)));
};
$last = (int)ceil(microtime(true) / 7200);
$keys = [];
foreach ($metrics as $metric) {
    for ($bucket = $last - 13; $bucket <= $last; $bucket++) {
        $keys[] = "local:ours$run:$metric::$bucket:filter:7";
        $values["local:ours$run:$metric::$bucket:filter:7"] = 1 + $bucket % 100;
    }
}
$ours->incrMulti($values, 90000);
$ours->sync();
$many = fn(callable $work) => function () use ($work) {
    for ($i = 0; $i < 50; $i++) {
        $work();
    }
};
$read = $profile($ours, $key('filter', 7), "ours$run");
$times = race('a profile', [
    'ours' => $many($read),
    'getCounters of the same keys' => $many(fn() => $ours->getCounters($keys)),
    'MediaWiki on PECL, TCP_NODELAY' => $many($profile($theirs['MediaWiki on PECL, TCP_NODELAY'], new LocalEntityKey(['filter', 7]), "ours$run")),
], 50, fn() => null);
check(56, count($ours->getCounters($keys)), 'keys of a profile');
$sums = $profile($theirs['MediaWiki on PECL, TCP_NODELAY'], new LocalEntityKey(['filter', 7]), "ours$run")();
foreach ($read() as $metric => $total) {
    // Both read the clock for themselves: the first bucket may count a little less for the second.
    check(true, abs($total - $sums[$metric]) <= 1, "$metric, as MediaWiki reads it: $sums[$metric], as we do: $total");
}
$medians = $findings->table('A profile: 4 metrics x 14 buckets', 'one profile', $times, 'wall');
$findings->wanted('a profile: ours / reading the same keys', $medians['ours'] / $medians['getCounters of the same keys'], '<=', 1.3);

// ---- a limit ----

$limit = 1_000_000;
$conditions = ['c' => new LimitCondition($limit, 60)];
$try = function ($factory, $entity, $prefix) use ($conditions) {
    $limiter = $factory->createRateLimiter($conditions, $prefix);

    return fn() => $limiter->tryIncr('c', $entity);
};
$now = microtime(true);
$keys = array_map(fn($bucket) => "local:tries$run:c::$bucket:user:1", range((int)(($now - 60) / 2), (int)ceil($now / 2)));
$counts = ['ours' => 0, 'ours, strict' => 0, 'MediaWiki on PECL, TCP_NODELAY' => 0, 'MediaWiki on PECL, default' => 0];
$strict = $ours->createRateLimiter($conditions, "strict$run", ['strict' => true]);
$peers = [
    'ours' => $try($ours, $key('user', 1), "tries$run"),
    'getCounters of the same keys' => fn() => $ours->getCounters($keys),
    'ours, strict' => fn() => $strict->tryIncr('c', ['user', 1]),
    'MediaWiki on PECL, TCP_NODELAY' => $try($theirs['MediaWiki on PECL, TCP_NODELAY'], new LocalEntityKey(['user', 1]), "nodelay$run"),
    'MediaWiki on PECL, default' => $try($theirs['MediaWiki on PECL, default'], new LocalEntityKey(['user', 1]), "default$run"),
];
$each = fn($name) => $name === 'MediaWiki on PECL, default' ? 3 : 50;
$racers = [];
foreach ($peers as $name => $work) {
    $racers[$name] = function () use ($name, $work, $each, &$counts) {
        for ($i = $each($name); $i > 0; $i--) {
            $work();
        }
        if (isset($counts[$name])) {
            $counts[$name] += $each($name);
        }
    };
}
$times = race('tryIncr()', $racers, array_combine(array_keys($racers), array_map($each, array_keys($racers))), function () use ($ours): ?int {
    $ours->sync();

    return null;
});
// What PECL sent last without waiting for a reply may still be on its way.
usleep(100_000);
foreach (['ours' => 'tries', 'ours, strict' => 'strict', 'MediaWiki on PECL, TCP_NODELAY' => 'nodelay', 'MediaWiki on PECL, default' => 'default'] as $name => $prefix) {
    $buckets = array_map(fn($bucket) => "local:$prefix$run:c::$bucket:user:1", range((int)($now / 2) - 5, (int)($now / 2) + 300));
    check($counts[$name], array_sum($ours->getCounters($buckets)), "$name: hits");
}
$medians = $findings->table('tryIncr(), 30 buckets', 'one', $times, 'wall');
$findings->wanted('tryIncr(): ours / reading the same keys', $medians['ours'] / $medians['getCounters of the same keys'], '<=', 1.3);
$findings->wanted('tryIncr(): MediaWiki on PECL, TCP_NODELAY / ours', $medians['MediaWiki on PECL, TCP_NODELAY'] / $medians['ours'], '>=', 4);
$findings->wanted('tryIncr(): MediaWiki on PECL, default / ours', $medians['MediaWiki on PECL, default'] / $medians['ours'], '>=', 300);
