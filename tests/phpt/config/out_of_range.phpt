--TEST--
values out of range are refused, naming the setting
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$bad = [
    'timeout' => [-1, -0.001, NAN, INF, 'abc', []],
    'connect_timeout' => [-1, NAN, INF, 'abc', []],
    'retry_interval' => [-1, NAN, INF, 'abc', []],
    'flush_interval' => [-1, NAN, INF, 'abc', []],
    'shutdown_timeout' => [-1, NAN, INF, 'abc', []],
    'buffer_bytes' => [0, -1, 'abc', []],
    'protocol' => ['binary', '', 1, []],
    'distribution' => ['random', '', []],
    'long_keys' => ['mediawiki', '', []],
    'persistent' => [[]],
    'noreply' => [[]],
    'prefix' => ["a b", "a\r\n", "\x7f", "a\0", str_repeat('p', 251), []],
    'route' => ["/a b/", "/a\n/", []],
    'keyspace' => ["a b", "\n", []],
];
foreach ($bad as $key => $values) {
    foreach ($values as $value) {
        $what = $key . ' => ' . var_export($value, true);
        try {
            new WRStats(['servers' => ['127.0.0.1:11211'], $key => $value]);
            echo "$what: taken\n";
        } catch (ValueError|TypeError $e) {
            same(1, preg_match("/\\b$key\\b/", $e->getMessage()), "$what is named ({$e->getMessage()})");
        }
    }
}
echo "done\n";
--EXPECT--
done
