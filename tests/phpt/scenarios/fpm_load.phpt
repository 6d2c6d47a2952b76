--TEST--
thousands of requests on four workers from four clients: every count arrives exactly once
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

use WRStats\Tests\Server;

require __DIR__ . '/../inc/setup.inc';
require __DIR__ . '/fpm_load.inc';

$server = Server::tcp();
$before = $server->raw()->stat('total_connections');
$answered = load(load_fpm($server, 4), 4, 1000);
same(4000, count(array_filter($answered, is_numeric(...))), 'answers');
between(4, 4, $server->raw()->stat('total_connections') - $before - 1, 'connections of four workers');
check_load($server, $answered, '4 FPM workers');
echo "done\n";
--EXPECT--
done
