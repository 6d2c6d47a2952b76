--TEST--
peek() and tryIncr() throw when a server concerned does not answer; incr() never does
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

use WRStats\Tests\Server;
$server = Server::tcp();
$h = new WRStats(['servers' => [$server->address], 'timeout' => 0.2, 'retry_interval' => 0.05]);
foreach ([false, true] as $strict) {
    $l = $h->createRateLimiter(['c' => ['limit' => 3, 'window' => 600]], "down$strict", ['strict' => $strict]);
    same(true, $l->tryIncr('c')->isAllowed(), 'up');
    $h->sync();
    $server->kill();
    $batch = $l->createBatch()->localOp('c');
    foreach ([fn() => $l->peek('c'), fn() => $l->tryIncr('c'), fn() => $batch->peek(), fn() => $batch->tryIncr()] as $i => $call) {
        try {
            $call();
            echo "$i: no exception\n";
        } catch (WRStats\ConnectionException $e) {
            same($server->address, $e->getServer(), "$i: server");
            same(true, in_array($e->getCode(), [WRStats::ERROR_UNREACHABLE, WRStats::ERROR_NO_RESPONSE], true), "$i: code");
        }
    }
    // These wait for the server.
    $l->incr('c', ['waits']);
    $l->createBatch()->localOp('c', 'waits')->incr();
    $server->start();
    usleep(100_000);
    $h->sync();
    same([1, 1], [$l->peek('c', ['waits'])->prevTotal, $l->createBatch()->localOp('c', 'waits')->peek()->getAllResults()['c']->prevTotal], 'what incr() counted');
}
// Failing open, failing closed: as the README has it.
$server->kill();
$open = function () use ($l) { try { return $l->tryIncr('c')->isAllowed(); } catch (WRStats\ConnectionException) { return true; } };
same(true, $open(), 'failing open');
echo "done\n";
--EXPECT--
done
