--TEST--
a pool's name never leads to other servers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$one = \WRStats\Tests\Server::tcp();
$two = \WRStats\Tests\Server::tcp();
(new WRStats(['servers' => [$one->address], 'persistent' => 'p']))->incrAndGet('x');
(new WRStats(['servers' => [$two->address], 'persistent' => 'p']))->incrAndGet('x');
echo $one->raw()->get('x'), ' ', $two->raw()->get('x'), "\n";
--EXPECT--
1 1
