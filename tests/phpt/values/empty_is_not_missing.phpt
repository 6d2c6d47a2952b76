--TEST--
an empty value and a missing one differ
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k('empty'), '');
var_dump($w->get(k('empty')), $w->get(k('missing')), $w->getMulti([k('missing'), k('empty')]) === [k('empty') => '']);
--EXPECT--
string(0) ""
NULL
bool(true)
