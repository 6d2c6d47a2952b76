--TEST--
every kind of call over two servers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
$other = \WRStats\Tests\Server::tcp();
battery(new WRStats(['servers' => [server(), $other->address]]), k('battery:'));
echo "done\n";
--EXPECT--
done
