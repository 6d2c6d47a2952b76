--TEST--
settings in a DSN are used
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats("memcached://$server->address?timeout=0.15");
$w->set('a', 'A');
$server->pause();
$from = microtime(true);
try {
    $w->get('a');
    echo "answered\n";
} catch (WRStats\ConnectionException) {
    between(0.14, 0.4, microtime(true) - $from, 'seconds waited');
}
$server->resume();
echo "done\n";
--EXPECT--
done
