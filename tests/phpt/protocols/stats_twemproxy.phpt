--TEST--
writers, readers and limiters through twemproxy with three servers behind it
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';
require __DIR__ . '/../../support/php/Twemproxy.php';

use WRStats\Tests\Server;
use WRStats\Tests\Twemproxy;

$servers = [Server::tcp(), Server::tcp(), Server::tcp()];
$proxy = Twemproxy::inFrontOf(...array_column($servers, 'address'));
$w = new WRStats(['servers' => [$proxy->address]]);
$w->setCurrentTime(1000);

$specs = ['m' => seq(100, 1000), 'f' => seq(100, 1000, ['resolution' => 0.01])];
$writer = $w->createWriter($specs);
for ($i = 0; $i < 60; $i++) {
    $writer->incr('m', [$i], $i + 1);
    $writer->incr('f', [$i], $i / 8);
}
$writer->flush();
$total = function (string $metric) use ($w, $specs) {
    $reader = $w->createReader($specs);
    $reader->setCurrentTime(1050);
    $range = $reader->timeRange(1000, 1050);

    return array_map(fn($i) => $reader->getRate($metric, [$i], $range)->total(), range(0, 59));
};
same(range(1, 60), $total('m'), 'totals');
same(array_map(fn($i) => round($i / 8 * 100) * 0.01, range(0, 59)), $total('f'), 'totals in hundredths');
$items = array_map(fn($server) => $server->raw()->stat('curr_items'), $servers);
same(120, array_sum($items), 'counters on the servers');
same(true, min($items) > 0, 'each of them has some');
$writer->resetAll(array_map(fn($i) => [$i], range(0, 59)));
same(0, array_sum($total('m')), 'after resetAll()');

foreach ([false, true] as $strict) {
    $what = $strict ? 'strict' : 'default';
    $limiter = $w->createRateLimiter(
        ['user' => ['limit' => 5, 'window' => 60], 'all' => ['limit' => 8, 'window' => 60]],
        "limits-$what",
        ['strict' => $strict],
    );
    $allowed = fn(array $who) => count(array_filter(
        range(1, 7),
        fn() => $limiter->createBatch()->localOp('user', $who)->globalOp('all', [])->tryIncr()->isAllowed(),
    ));
    same(5, $allowed(['a']), "$what: the user's limit");
    same(3, $allowed(['b']), "$what: the limit of all, which both used up");
    same(false, $limiter->createBatch()->localOp('user', ['a'])->peek()->isAllowed(), "$what: peek of a batch");
    same(5, $limiter->peek('user', ['a'])->remaining(), "$what: a single condition has keys of its own");
}
same(true, $w->sync(), 'sync');
same('classic', $w->servers()[$proxy->address]['dialect'], 'dialect');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
