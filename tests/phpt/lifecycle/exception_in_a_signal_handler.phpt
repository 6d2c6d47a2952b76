--TEST--
a handler that throws leaves no answer for the next caller
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 3, 'retry_interval' => 0.05]);
$w->set('a', 'AAA');
$w->set('b', 'BBB');
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () {
    throw new DomainException('from the handler');
});
// The server wakes up while get() waits; the handler runs when the call returns.
$server->pause();
exec('(sleep 1.3; kill -CONT ' . $server->pid() . ') >/dev/null 2>&1 &');
pcntl_alarm(1);
try {
    $w->get('a');
    echo "not interrupted\n";
} catch (DomainException) {
}
same('BBB', $w->get('b'), 'the next read');
echo "done\n";
--EXPECT--
done
