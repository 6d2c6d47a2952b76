--TEST--
every documented form of a server address
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$forms = [
    [['10.0.0.1:11212'], ['10.0.0.1:11212' => ['10.0.0.1', 11212, 1]]],
    [['cache.example:11212'], ['cache.example:11212' => ['cache.example', 11212, 1]]],
    [['[::1]:11212'], ['[::1]:11212' => ['::1', 11212, 1]]],
    [['10.0.0.1:11212:3'], ['10.0.0.1:11212' => ['10.0.0.1', 11212, 3]]],
    [[['host' => '10.0.0.1', 'port' => 11212, 'weight' => 3]], ['10.0.0.1:11212' => ['10.0.0.1', 11212, 3]]],
    [[['host' => '10.0.0.1', 'port' => 11212]], ['10.0.0.1:11212' => ['10.0.0.1', 11212, 1]]],
    [['10.0.0.1:1', '10.0.0.2:2'], ['10.0.0.1:1' => ['10.0.0.1', 1, 1], '10.0.0.2:2' => ['10.0.0.2', 2, 1]]],
];
foreach ($forms as [$servers, $expected]) {
    $handle = new WRStats(['servers' => $servers]);
    $got = array_map(fn(array $s) => [$s['host'], $s['port'], $s['weight']], $handle->servers());
    same($expected, $got, json_encode($servers));
}
$unix = (new WRStats(['servers' => ['/run/memcached.sock']]))->servers();
same(['/run/memcached.sock'], array_keys($unix), 'path');
same('/run/memcached.sock', $unix['/run/memcached.sock']['host'], 'host of a path');
echo "done\n";
--EXPECT--
done
