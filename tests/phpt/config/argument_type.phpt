--TEST--
the config's type
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

caught(fn() => new WRStats(new stdClass));
caught(fn() => new WRStats([], 1));
--EXPECT--
TypeError: WRStats::__construct(): Argument #1 ($config) must be of type array|string|null, stdClass given
ArgumentCountError: WRStats::__construct() expects at most 1 argument, 2 given
