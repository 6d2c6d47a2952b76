--TEST--
a bucket is there for as long as a reader may ask for it; one that was evicted counts as nothing
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$specs = ['hits' => ['sequences' => [['timeStep' => 1, 'expiry' => 2]]]];
$w = client();
$prefix = k('w');
// At the very end of a second, when the server's clock is about to tick.
usleep((int)((1.95 - fmod(microtime(true), 1)) * 1e6));
$written = microtime(true);
$writer = $w->createWriter($specs, $prefix);
$writer->incr('hits', null, 10);
$writer->flush();
same(true, $w->sync(), 'sync');
while (($age = microtime(true) - $written) < 1.8) {
    $reader = $w->createReader($specs, $prefix);
    between(1, 10, $reader->getRate('hits', null, $reader->latest(2))->total(), "after $age s");
    usleep(100_000);
}
// An evicted bucket: the counter begins anew, nothing waits or repeats.
$specs = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
$now = 3600 * 500_000 + 1800;
$w->setCurrentTime($now);
$writer = $w->createWriter($specs, $prefix);
$reader = fn() => $w->createReader($specs, $prefix);
$writer->incr('hits', ['e'], 7);
$writer->flush();
$w->sync();
$key = 'local:' . str_replace(':', '%3A', $prefix) . ':hits::500000:e';
same('7', raw()->get($key), 'the bucket');
raw()->delete($key);
$r = $reader();
same(0, $r->getRate('hits', ['e'], $r->timeRange($now - 1800, $now))->total(), 'evicted');
$writer->incr('hits', ['e'], 4);
$writer->flush();
$r = $reader();
same(4, $r->getRate('hits', ['e'], $r->timeRange($now - 1800, $now))->total(), 'counted since');
echo "done\n";
--EXPECT--
done
