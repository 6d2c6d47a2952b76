--TEST--
wrstats.servers takes a list
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

[, $output] = run('echo implode(" ", array_keys((new WRStats())->servers()));', '-d wrstats.servers=10.0.0.1:1,10.0.0.2:2');
echo $output, "\n";
--EXPECT--
10.0.0.1:1 10.0.0.2:2
