--TEST--
malformed DSNs are refused
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$bad = [
    '', 'http://127.0.0.1', 'redis://127.0.0.1:6379', 'memcached:', 'memcached://', 'memcached://host:port', 'memory:x',
    'memcached://127.0.0.1?nope=1', 'memcached://127.0.0.1?timeout=soon', 'memcached://127.0.0.1?timeout=-1',
    'memcached://127.0.0.1?timeout', "memcached://127.0.0.1\r\nflush_all",
];
foreach ($bad as $dsn) {
    try {
        new WRStats($dsn);
        echo json_encode($dsn), ": taken\n";
    } catch (ValueError $e) {
        same(1, preg_match('/^WRStats::__construct\(\): Argument #1 \(\$config\) /', $e->getMessage(), $m), $e->getMessage());
    }
}
echo "done\n";
--EXPECT--
done
