--TEST--
a host without a port means 11211
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['10.0.0.1', '10.0.0.1:11211', '[::1]', ['host' => '10.0.0.1']] as $server) {
    echo implode(',', array_keys((new WRStats(['servers' => [$server]]))->servers())), "\n";
}
--EXPECT--
10.0.0.1:11211
10.0.0.1:11211
[::1]:11211
10.0.0.1:11211
