--TEST--
the first write after the server's restart is stored, without an error
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$web = web('$w = new WRStats(["servers" => ["' . $server->address . '"]]); $w->incr("k"); echo "fine";');
same('fine', $web->get(''), 'first');
same('fine', $web->get(''), 'second');
usleep(50_000);
same('2', $server->raw()->get('k'), 'before');
$server->restart();
same('fine', $web->get(''), 'after the restart');
usleep(50_000);
same('1', $server->raw()->get('k'), 'after the restart');
echo "done\n";
--EXPECT--
done
