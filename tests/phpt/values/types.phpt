--TEST--
values are strings; other scalars become strings in weak mode
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k('int'), 5);
$w->set(k('float'), 1.5);
$w->set(k('true'), true);
same(['5', '1.5', '1'], array_values($w->getMulti([k('int'), k('float'), k('true')])), 'stored');
caught(fn() => $w->set(k(), []));
caught(fn() => $w->set(k(), new stdClass));
caught(fn() => $w->setMulti([k() => []]));
--EXPECTF--
TypeError: WRStats::set(): Argument #2 ($value) must be of type string, array given
TypeError: WRStats::set(): Argument #2 ($value) must be of type string, stdClass given
TypeError: WRStats::setMulti(): Argument #1 ($values) %s
