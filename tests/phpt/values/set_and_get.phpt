--TEST--
set, get, add, replace, delete answer what happened
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
var_dump($w->get(k()));
var_dump($w->replace(k(), 'no'));
var_dump($w->delete(k()));
var_dump($w->add(k(), 'first'));
var_dump($w->add(k(), 'second'));
var_dump($w->get(k()));
var_dump($w->replace(k(), 'third'));
var_dump($w->set(k(), 'fourth'));
var_dump($w->get(k()));
var_dump($w->delete(k()));
var_dump($w->get(k()));
--EXPECT--
NULL
bool(false)
bool(false)
bool(true)
bool(false)
string(5) "first"
bool(true)
bool(true)
string(6) "fourth"
bool(true)
NULL
