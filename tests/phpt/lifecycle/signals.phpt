--TEST--
a signal neither breaks a wait nor ends the process
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 1.4]);
$w->set('k', 'v');
$caught = 0;
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use (&$caught) { $caught++; });
$server->pause();
pcntl_alarm(1);
$from = microtime(true);
// Not get(): the engine drops a signal that it comes to handle while an exception is on its way.
same([], $w->getMulti(['k']), 'getMulti');
same(WRStats::ERROR_NO_RESPONSE, $w->lastErrorCode(), 'lastErrorCode');
between(1.3, 1.9, microtime(true) - $from, 'seconds waited');
same(1, $caught, 'the handler ran once');
$server->resume();
$server->kill();
for ($i = 0; $i < 20; $i++) {
    $w->incr("n$i");
    $w->flush();
}
echo "done\n";
--EXPECT--
done
