--TEST--
servers() and serverFor() name servers in the same way
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$servers = $w->servers();
same([server()], array_keys($servers), 'keys');
same(server(), $w->serverFor(k()), 'serverFor');
$w->incrAndGet(k());
$server = $w->servers()[server()];
[$host, $port] = explode(':', server());
same([$host, (int)$port, 1], [$server['host'], $server['port'], $server['weight']], 'host, port, weight');
same('meta', $server['dialect'], 'dialect');
same(raw()->stats()['version'], $server['version'], 'version');
same(true, is_string($server['state']), 'state');
echo "done\n";
--EXPECT--
done
