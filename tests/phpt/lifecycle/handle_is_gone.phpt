--TEST--
a handle that is destroyed takes nothing with it
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k(), 4);
unset($w);
$other = client();
$other->incr(k(), 1);
$other->sync();
echo raw()->get(k()), "\n";
--EXPECT--
5
