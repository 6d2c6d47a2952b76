--TEST--
incr creates a counter at its step, then adds
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
var_dump($w->incr(k(), 5, 60), $w->sync());
var_dump(raw()->get(k()));
var_dump($w->incr(k(), 5, 60), $w->sync());
var_dump(raw()->get(k()));
between(58, 60, raw()->ttl(k()), 'seconds left');
--EXPECT--
bool(true)
bool(true)
string(1) "5"
bool(true)
bool(true)
string(2) "10"
