--TEST--
cas stores only what nobody changed
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k(), 'a');
$item = $w->get(k(), WRStats::GET_EXTENDED);
var_dump($w->cas($item['cas'], k(), 'b', 60, 3));
var_dump($w->cas($item['cas'], k(), 'c'));
var_dump($w->cas($item['cas'], k('missing'), 'd'));
same(['b', 3], [raw()->item(k())['value'], raw()->item(k())['flags']], 'stored');
between(58, 60, raw()->ttl(k()), 'seconds left');
--EXPECT--
bool(true)
bool(false)
NULL
