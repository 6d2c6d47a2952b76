--TEST--
sync()'s timeout is null or a duration
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
var_dump($w->sync(), $w->sync(null), $w->sync(0), $w->sync(1), $w->sync(0.5));
caught(fn() => $w->sync(-1));
caught(fn() => $w->sync(NAN));
caught(fn() => $w->sync('soon'));
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
ValueError: WRStats::sync(): Argument #1 ($timeout) must be %s
ValueError: WRStats::sync(): Argument #1 ($timeout) must be %s
TypeError: WRStats::sync(): Argument #1 ($timeout) must be of type ?float, string given
