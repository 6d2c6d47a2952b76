--TEST--
setItems stores what getMulti(…, GET_FLAGS) answers: values with flags of their own
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
$items = [
    'a' => ['value' => 'A', 'flags' => 0],
    'b' => ['value' => '', 'flags' => 4294967295],
    7 => ['value' => "\r\n", 'flags' => 3],
];
same(true, $w->setItems($items, 600), 'stored');
same($items, $w->getMulti(['a', 'b', '7'], WRStats::GET_FLAGS), 'read');
between(598, 600, raw()->ttl(k('b')), 'ttl');
same(true, $w->setItems(['a' => ['value' => 'B', 'flags' => 1, 'cas' => 5]], background: true), 'in the background');
same(['value' => 'B', 'flags' => 1], $w->get('a', WRStats::GET_FLAGS), 'read again');
same(true, $w->setItems(['b' => ['value' => 'C']]), 'without flags');
same(['value' => 'C', 'flags' => 0], $w->get('b', WRStats::GET_FLAGS), 'which are 0 then');
same(true, $w->setItems([]), 'nothing');

same(false, $w->setItems([...$items, 'big' => ['value' => str_repeat('x', 2 << 20), 'flags' => 0]]), 'one is too large');
same(WRStats::ERROR_UNEXPECTED, $w->lastErrorCode(), 'and that is said');

foreach (['text', [], ['value' => 5, 'flags' => 0], ['value' => 'v', 'flags' => -1], ['value' => 'v', 'flags' => '1'], ['value' => 'v', 'flags' => null]] as $bad) {
    caught(fn() => $w->setItems(['new' => ['value' => 'v', 'flags' => 0], 'bad' => $bad]));
}
same(null, $w->get('new'), 'all or nothing');
--EXPECTF--
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
TypeError: WRStats::setItems(): Argument #1 ($items) must hold arrays with a string under "value" and an int from 0 to 4294967295 under "flags" (0 if left out), "bad" is not one
