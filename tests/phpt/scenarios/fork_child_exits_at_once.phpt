--TEST--
a hundred children that do nothing but exit take nothing from the parent
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$w = new WRStats(['servers' => [$server->address]]);
$writer = $w->createWriter(['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]]);
$w->incrAndGet('warm');
$connections = $raw->stat('total_connections');
$times = [];
for ($i = 1; $i <= 100; $i++) {
    // At the fork one increment is on its way, unanswered, one is queued, one gathered.
    $w->incr('flushed', 1, 600);
    $w->flush();
    $w->incr('queued', 1, 600);
    $writer->incr('hits');
    $from = microtime(true);
    if (($pid = pcntl_fork()) === 0) {
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    $times[] = microtime(true) - $from;
    same(0, $status, 'how the child ended');
    same($i, $w->incrAndGet('asked'), 'the parent goes on');
}
sort($times);
// A busy machine may hold up a few of them, a wait for a server or a thread every one.
between(0, 0.1, $times[90], 'seconds until nine in ten were gone');
between(0, 2, end($times), 'seconds until the last was gone');
$writer->flush();
same(true, $w->sync(), 'sync');
same(['100', '100', '100'], [$raw->get('flushed'), $raw->get('queued'), $raw->get('asked')], 'values');
$reader = $w->createReader(['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]]);
same(100, $reader->getRate('hits', null, $reader->latest(7200))->total(), 'hits');
same($connections, $raw->stat('total_connections'), 'connections');
same(0, $w->metrics()['lost'], 'lost');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
