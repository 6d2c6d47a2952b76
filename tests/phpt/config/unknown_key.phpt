--TEST--
an unknown config key is refused by name
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

caught(fn() => new WRStats(['timout' => 0.1]));
caught(fn() => new WRStats(['servers' => ['127.0.0.1:11211'], 'Prefix' => 'a:']));
caught(fn() => new WRStats(['127.0.0.1:11211']));
--EXPECTF--
ValueError: WRStats::__construct(): Argument #1 ($config) %Stimout%S
ValueError: WRStats::__construct(): Argument #1 ($config) %SPrefix%S
ValueError: WRStats::__construct(): Argument #1 ($config) %S0%S
