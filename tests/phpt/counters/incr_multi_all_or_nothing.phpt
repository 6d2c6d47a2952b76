--TEST--
a bad step refuses the whole incrMulti
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
caught(fn() => $w->incrMulti(['a' => 1, 'b' => -1]));
caught(fn() => $w->incrMulti(['a' => 1, 'b' => []]));
caught(fn() => $w->incrMulti(['a' => 1], -1));
same([], $w->getMulti(['a', 'b']), 'counters');
same(0, $w->metrics()['calls'], 'calls');
--EXPECTF--
ValueError: WRStats::incrMulti(): Argument #1 ($steps) %s
TypeError: WRStats::incrMulti(): Argument #1 ($steps) %s
ValueError: WRStats::incrMulti(): Argument #2 ($ttl) %s
