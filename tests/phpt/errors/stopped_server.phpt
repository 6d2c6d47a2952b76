--TEST--
no answer is not "no such key"
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 0.2, 'retry_interval' => 0.1]);
$w->set('k', 'v');
$server->pause();
$from = microtime(true);
try {
    var_dump($w->get('k'));
} catch (WRStats\ConnectionException $e) {
    same(WRStats::ERROR_NO_RESPONSE, $e->getCode(), 'code');
    same($server->address, $e->getServer(), 'server');
}
between(0.19, 0.5, microtime(true) - $from, 'seconds waited');
same(1, $w->metrics()['timeouts'], 'timeouts');
$server->resume();
usleep(300_000);
same('v', $w->get('k'), 'after it goes on');
same(WRStats::ERROR_NONE, $w->lastErrorCode(), 'lastErrorCode');
echo "done\n";
--EXPECT--
done
