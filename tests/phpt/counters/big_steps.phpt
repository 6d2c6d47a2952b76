--TEST--
steps above 32 bits
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
var_dump($w->incrAndGet(k(), 4294967296), $w->incrAndGet(k(), 4294967296));
var_dump($w->incrAndGet(k('max'), PHP_INT_MAX));
$w->incr(k('q'), 4294967296);
$w->incr(k('q'), 4294967296);
var_dump($w->getCounters([k('q')])[k('q')]);
--EXPECT--
int(4294967296)
int(8589934592)
int(9223372036854775807)
int(8589934592)
