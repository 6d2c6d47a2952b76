--TEST--
setMulti, touchMulti and deleteMulti answer for all of their keys
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
var_dump($w->setMulti(['a' => 'A', 'b' => 'B'], 600));
var_dump($w->touchMulti(['a', 'b'], 60));
between(58, 60, raw()->ttl(k('a')), 'touched');
var_dump($w->touchMulti(['a', 'missing'], 60));
var_dump($w->deleteMulti(['a', 'missing']));
var_dump($w->getMulti(['a', 'b']));
var_dump($w->lastErrorCode());
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(true)
array(1) {
  ["b"]=>
  string(1) "B"
}
int(0)
