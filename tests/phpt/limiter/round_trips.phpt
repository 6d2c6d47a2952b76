--TEST--
one exchange for peek() and tryIncr(), whatever the number of conditions and servers; strict needs a second on several servers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

use WRStats\Tests\Server;
$servers = [Server::tcp(), Server::tcp(), Server::tcp()];
foreach ([1, 3] as $n) {
    $h = new WRStats(['servers' => array_slice(array_column($servers, 'address'), 0, $n)]);
    $conditions = [];
    foreach (range(0, 9) as $i) {
        $conditions["c$i"] = ['limit' => 100, 'window' => 60];
    }
    foreach ([false, true] as $strict) {
        $l = $h->createRateLimiter($conditions, "trips$strict", ['strict' => $strict]);
        $batch = fn() => array_reduce(array_keys($conditions), fn($b, $c) => $b->localOp($c, 5), $l->createBatch());
        $batch()->tryIncr();
        $h->sync();
        foreach (['peek' => $n, 'tryIncr' => $strict && $n > 1 ? 2 * $n : $n] as $method => $most) {
            $h->sync();
            $before = $h->metrics();
            $result = $batch()->$method();
            same(true, $result->isAllowed(), 'allowed');
            $after = $h->metrics();
            between($n, $most, $after['writes'] - $before['writes'], "$n servers, " . ($strict ? 'strict ' : '') . "$method: sends");
            if ($method === 'tryIncr' && !$strict) {
                same(10, $after['pending'] - $before['pending'], 'increments in the background');
            }
        }
    }
}
echo "done\n";
--EXPECT--
done
