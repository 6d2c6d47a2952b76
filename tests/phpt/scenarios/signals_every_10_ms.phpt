--TEST--
signals every 10 ms change no answer and no deadline
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$config = ['servers' => [$server->address], 'retry_interval' => 0.05];
$w = new WRStats($config + ['timeout' => 0.5]);
$patient = new WRStats($config + ['timeout' => 5]);
$w->set('k', 'v');
$patient->set('k', 'v');
$signals = 0;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use (&$signals, $w) {
    // A handler counts too.
    $w->incr('in-a-handler', 1, 600);
    $signals++;
});
$loop = proc_open(['sh', '-c', 'while kill -USR1 ' . getmypid() . '; do sleep 0.01; done'], [2 => ['file', '/dev/null', 'w']], $pipes);

$wrong = $longest = 0;
for ($i = 1; $i <= 3_000; $i++) {
    $from = hrtime(true);
    $wrong += $w->incrAndGet('n') !== $i;
    $wrong += $w->getMulti(['k', 'nothing', 'n']) !== ['k' => 'v', 'n' => (string)$i];
    $w->incr('b', 2, 600);
    $longest = max($longest, hrtime(true) - $from);
    usleep(100);
}
same(0, $wrong, 'wrong answers');
same(true, $w->sync(), 'sync');
same('6000', $server->raw()->get('b'), 'in the background');
row('signals every 10 ms: an incrAndGet(), a getMulti() and an incr() each', 3_000, 0, $w->metrics()['lost'], $longest / 1e6);

// A server that does not answer: neither shorter nor longer than the time-out.
$server->pause();
$signals = 0;
$from = microtime(true);
same([], $w->getMulti(['k']), 'of a stopped server');
between(0.45, 0.8, microtime(true) - $from, 'seconds of the time-out');
between(1, 1000, $signals, 'signals came');
$from = microtime(true);
same(false, $w->sync(0.3), 'sync with a stopped server');
between(0, 0.6, microtime(true) - $from, 'seconds of sync()');
// One that answers late.
exec('(sleep 0.7; kill -CONT ' . $server->pid() . ') >/dev/null 2>&1 &');
$from = microtime(true);
same(['k' => 'v'], $patient->getMulti(['k']), 'the answer came late');
between(0.4, 3, microtime(true) - $from, 'seconds of the late answer');
// One that comes back.
$server->restart();
usleep(200_000);
same(1, $w->incrAndGet('n'), 'after a restart');
proc_terminate($loop, 9);
proc_close($loop);
pcntl_signal(SIGUSR1, SIG_IGN);
$w->sync();
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
