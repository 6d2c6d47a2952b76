--TEST--
a write after the server's restart is stored
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
$w->incr('k');
same(true, $w->sync(), 'before');
$server->restart();
$w->incr('k');
same(true, $w->sync(), 'after');
same('1', $server->raw()->get('k'), 'value');
echo "done\n";
--EXPECT--
done
