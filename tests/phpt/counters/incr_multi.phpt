--TEST--
incrMulti creates each counter at its step and adds later
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
var_dump($w->incrMulti(['a' => 1, 'b' => 20, 'c' => 0], 60));
var_dump($w->incrMulti(['a' => 2, 'b' => 5]));
var_dump($w->sync(), $w->getCounters(['a', 'b', 'c']));
between(58, 60, raw()->ttl(k('b')), 'seconds left');
--EXPECT--
bool(true)
bool(true)
bool(true)
array(3) {
  ["a"]=>
  int(3)
  ["b"]=>
  int(25)
  ["c"]=>
  int(0)
}
