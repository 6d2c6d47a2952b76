--TEST--
handles of one config share a pool, whatever their prefix
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$before = $raw->stat('total_connections');
for ($i = 0; $i < 1000; $i++) {
    $w = new WRStats(['servers' => [$server->address]]);
    $w->incr('x');
}
same(1000, $w->metrics()['calls'], 'calls of the shared pool');
same(1, count($w->servers()), 'servers');
$other = new WRStats(['servers' => [$server->address], 'prefix' => 'p:', 'route' => '/a/b/', 'keyspace' => 'wiki']);
same(1000, $other->metrics()['calls'], 'calls seen through another prefix');
same(true, $w->sync(), 'sync');
same('1000', $raw->get('x'), 'x');
same($before + 1, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
