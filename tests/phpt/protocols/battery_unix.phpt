--TEST--
every kind of call over a unix socket
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
$server = \WRStats\Tests\Server::unix();
battery(new WRStats(['servers' => [$server->address]]), '');
echo "done\n";
--EXPECT--
done
