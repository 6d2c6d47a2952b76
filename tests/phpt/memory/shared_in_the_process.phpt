--TEST--
handles on memory: see the same counters, with their own prefixes
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

(new WRStats('memory:'))->incr('k', 2);
(new WRStats(['servers' => ['memory:']]))->incr('k', 3);
(new WRStats(['servers' => ['memory:'], 'prefix' => 'p:']))->incr('k', 7);
echo (new WRStats('memory:'))->get('k'), ' ', (new WRStats('memory:'))->get('p:k'), "\n";
(new WRStats(['servers' => ['memory:'], 'persistent' => 'other']))->incr('k', 1);
echo (new WRStats('memory:'))->get('k'), ' ', (new WRStats(['servers' => ['memory:'], 'persistent' => 'other']))->get('k'), "\n";
--EXPECT--
5 7
5 1
