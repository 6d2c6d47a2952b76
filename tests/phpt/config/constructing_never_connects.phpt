--TEST--
constructing a handle never connects
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
for ($i = 0; $i < 20; $i++) {
    $w = new WRStats(['servers' => [$server->address], 'persistent' => false]);
    unset($w);
}
$down = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
same($before, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
