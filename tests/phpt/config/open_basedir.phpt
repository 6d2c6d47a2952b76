--TEST--
open_basedir holds for sockets, also for a config that was good before
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::unix();
// In a process of its own: it can't be loosened again.
[, $output] = run('
    $socket = ' . var_export($server->address, true) . ';
    $folder = dirname($socket);
    mkdir("$folder/other");
    $config = ["servers" => [$socket]];
    same(1, (new WRStats($config))->incrAndGet("k"), "without open_basedir");
    ini_set("open_basedir", $folder);
    same(2, (new WRStats($config))->incrAndGet("k"), "in an allowed folder");
    same(3, (new WRStats("memcached://$socket?timeout=0.4"))->incrAndGet("k"), "from a DSN");
    ini_set("open_basedir", "$folder/other");
    caught(fn() => new WRStats($config));
    caught(fn() => new WRStats("memcached://$socket?timeout=0.3"));
    caught(fn() => new WRStats(["servers" => ["127.0.0.1", "/run/no\xff.sock"]]));
    caught(fn() => new WRStats(["servers" => ["$folder/other/../memcached.sock"]]));
    same(1, (new WRStats(["servers" => [server()]]))->incrAndGet(k()), "TCP");
');
echo $output, "\n";
rmdir(dirname($server->address) . '/other');
[, $output] = run('ini_set("open_basedir", "/nowhere"); caught(fn() => new WRStats());', '-d wrstats.servers=/run/memcached.sock');
echo $output, "\n";
same('3', $server->raw()->get('k'), 'counted');
--EXPECTF--
ValueError: WRStats::__construct(): Argument #1 ($config) servers: open_basedir does not allow the socket "%s/memcached.sock"
ValueError: WRStats::__construct(): Argument #1 ($config) servers: open_basedir does not allow the socket "%s/memcached.sock"
ValueError: WRStats::__construct(): Argument #1 ($config) servers: open_basedir does not allow the socket "/run/no\xff.sock"
ValueError: WRStats::__construct(): Argument #1 ($config) servers: open_basedir does not allow the socket "%s/other/../memcached.sock"
ValueError: WRStats::__construct(): Argument #1 ($config) servers: open_basedir does not allow the socket "/run/memcached.sock"
