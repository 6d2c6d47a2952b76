--TEST--
flags are 32 bits, stored and kept
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
same(true, $w->set(k('a'), 'v', 0, 5), 'set');
same(5, raw()->item(k('a'))['flags'], 'set');
same(true, $w->setMulti([k('b') => 'v'], 0, 6), 'setMulti');
same(6, raw()->item(k('b'))['flags'], 'setMulti');
$w->add(k('c'), 'v', 0, 7, background: true);
same(7, $w->get(k('c'), WRStats::GET_EXTENDED)['flags'], 'add in background');
raw()->set(k('int'), '100', 0, 1);
same(101, $w->incrAndGet(k('int')), 'another client\'s int');
same(['101', 1], [raw()->item(k('int'))['value'], raw()->item(k('int'))['flags']], 'keeps its flags');
caught(fn() => $w->set(k('a'), 'v', 0, -1));
caught(fn() => $w->set(k('a'), 'v', 0, 4294967296));
--EXPECTF--
ValueError: WRStats::set(): Argument #4 ($flags) must be %s
ValueError: WRStats::set(): Argument #4 ($flags) must be %s
