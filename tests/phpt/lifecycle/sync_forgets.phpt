--TEST--
sync() tells about what happened since the last sync()
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k('abc'), 'abc');
var_dump($w->sync());
$w->incr(k('abc'));
var_dump($w->sync(), $w->sync());
$w->incr(k('good'));
var_dump($w->sync(0.5));
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
