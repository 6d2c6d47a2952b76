--TEST--
the config array is not changed
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$config = ['servers' => [server()], 'timeout' => 1, 'prefix' => 'p:'];
$copy = $config;
$reference = &$config['servers'];
$w = new WRStats($config);
$w->incr(k());
same($copy, $config, 'config');
echo "done\n";
--EXPECT--
done
