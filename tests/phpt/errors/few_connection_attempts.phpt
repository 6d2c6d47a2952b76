--TEST--
while a server is down it is tried once per retry interval
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

// Connects succeed, answers never come: the server is down for the client, and we can count who came.
$listener = stream_socket_server('tcp://127.0.0.1:0');
$w = new WRStats([
    'servers' => [stream_socket_get_name($listener, false)],
    'timeout' => 0.05,
    'retry_interval' => 0.5,
]);
$from = microtime(true);
while (microtime(true) - $from < 1.6) {
    $w->getMulti(['k']);
    usleep(1_000);
}
$attempts = 0;
while (@stream_socket_accept($listener, 0)) {
    $attempts++;
}
between(2, 6, $attempts, 'attempts in 1.6 s');
echo "done\n";
--EXPECT--
done
