--TEST--
other extensions' spellings of a unix socket reach the same socket
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::unix();
foreach ([$server->address, "unix:$server->address", "unix://$server->address", "$server->address:0"] as $form) {
    echo (new WRStats(['servers' => [$form]]))->incrAndGet(k()), "\n";
}
--EXPECT--
1
2
3
4
