--TEST--
a request pays for a stopped server once, not per call
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 0.2, 'retry_interval' => 5]);
$w->set('k', 'v');
$server->pause();
$from = microtime(true);
$failed = 0;
for ($i = 0; $i < 20; $i++) {
    try {
        $w->get('k');
    } catch (WRStats\ConnectionException) {
        $failed++;
    }
    $w->incr('n');
}
same(20, $failed, 'gets that failed');
between(0, 0.5, microtime(true) - $from, 'seconds for 40 calls');
$server->resume();
echo "done\n";
--EXPECT--
done
