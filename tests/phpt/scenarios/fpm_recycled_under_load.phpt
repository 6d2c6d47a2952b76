--TEST--
workers that are recycled every 20 requests lose nothing, over TCP and a unix socket
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

foreach ([Server::tcp(), Server::unix()] as $server) {
    $answered = load(load_fpm($server, 4, 'pm.max_requests = 20'), 4, 500);
    same(2000, count(array_filter($answered, is_numeric(...))), 'answers');
    check_load($server, $answered, 'FPM: workers recycled');
}
echo "done\n";
--EXPECT--
done
