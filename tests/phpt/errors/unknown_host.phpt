--TEST--
a name that doesn't resolve is an unreachable server
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => ['no-such-host.invalid:11211'], 'connect_timeout' => 0.2]);
$from = microtime(true);
try {
    $w->get('k');
    echo "answered\n";
} catch (WRStats\ConnectionException $e) {
    same(WRStats::ERROR_UNREACHABLE, $e->getCode(), 'code');
    same('no-such-host.invalid:11211', $e->getServer(), 'server');
}
same([], $w->getMulti(['k']), 'getMulti');
echo "done\n";
--EXPECT--
done
