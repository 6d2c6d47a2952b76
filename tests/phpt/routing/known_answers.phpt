--TEST--
where PECL memcached keeps these keys
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$servers = ['127.0.0.1:11211', '127.0.0.1:11212', '127.0.0.1:11213'];
$known = [
    'modula' => ['foo' => 11211, 'bar' => 11212, 'counter' => 11211],
    'ketama' => ['foo' => 11211, 'bar' => 11212, 'user:42' => 11212, 'counter' => 11213, 'z' => 11213],
];
foreach ($known as $distribution => $keys) {
    $w = new WRStats(['servers' => $servers, 'distribution' => $distribution]);
    foreach ($keys as $key => $port) {
        same("127.0.0.1:$port", $w->serverFor($key), "$distribution $key");
    }
}
echo "done\n";
--EXPECT--
done
