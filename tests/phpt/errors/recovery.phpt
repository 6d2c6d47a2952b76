--TEST--
a server that comes back is used within the retry interval
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'retry_interval' => 0.3]);
$w->set('k', 'v');
$server->kill();
try {
    $w->get('k');
    echo "answered\n";
} catch (WRStats\ConnectionException) {
}
$server->start();
$from = microtime(true);
$answered = false;
while (!$answered && microtime(true) - $from < 3) {
    try {
        $w->get('k');
        $answered = true;
    } catch (WRStats\ConnectionException) {
        usleep(10_000);
    }
}
between(0, 0.6, microtime(true) - $from, 'seconds until the first answer');
same(true, $answered, 'answered');
echo "done\n";
--EXPECT--
done
