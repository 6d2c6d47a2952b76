--TEST--
malformed server addresses are refused, naming servers
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$bad = [
    'empty' => '',
    'only a port' => ':11211',
    'port is no number' => '127.0.0.1:http',
    'port 0' => '127.0.0.1:0',
    'port too large' => '127.0.0.1:65536',
    'negative port' => '127.0.0.1:-1',
    'port is missing' => '127.0.0.1:',
    'bracket is not closed' => '[::1:11211',
    'no IPv6 address' => '[localhost]:11211',
    'ambiguous IPv6' => '::1:11211',
    'weight is no number' => '127.0.0.1:11211:heavy',
    'negative weight' => '127.0.0.1:11211:-1',
    'one part too many' => '127.0.0.1:11211:1:1',
    'space' => '127.0.0.1 :11211',
    'line end' => "127.0.0.1\r\nflush_all:11211",
    'NUL' => "/tmp/a\0b.sock",
    'path too long for a socket' => '/' . str_repeat('x', 120),
    'array without host' => ['port' => 11211],
    'array with an unknown key' => ['host' => '127.0.0.1', 'prot' => 11211],
    'array with a bad port' => ['host' => '127.0.0.1', 'port' => 70000],
    'number' => 11211,
    'null' => null,
    'float' => 1.5,
];
foreach ($bad as $what => $server) {
    try {
        new WRStats(['servers' => [$server]]);
        echo "$what: taken\n";
    } catch (ValueError|TypeError $e) {
        same(true, str_contains($e->getMessage(), 'servers'), "$what names servers ({$e->getMessage()})");
        same(false, str_contains($e->getMessage(), "\n"), "$what is escaped");
    }
}
foreach (['no server' => [], 'no list' => 5, 'memory: and another' => ['memory:', '127.0.0.1:11211']] as $what => $servers) {
    try {
        new WRStats(['servers' => $servers]);
        echo "$what: taken\n";
    } catch (ValueError|TypeError $e) {
        same(true, str_contains($e->getMessage(), 'servers'), "$what names servers ({$e->getMessage()})");
    }
}
echo "done\n";
--EXPECT--
done
