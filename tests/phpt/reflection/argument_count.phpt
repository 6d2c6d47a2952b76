--TEST--
too few and too many arguments
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
caught(fn() => $w->incr());
caught(fn() => $w->incr('k', 1, 0, null, 5));
caught(fn() => $w->set('k'));
caught(fn() => $w->flush(1));
caught(fn() => $w->metrics(1));
--EXPECT--
ArgumentCountError: WRStats::incr() expects at least 1 argument, 0 given
ArgumentCountError: WRStats::incr() expects at most 4 arguments, 5 given
ArgumentCountError: WRStats::set() expects at least 2 arguments, 1 given
ArgumentCountError: WRStats::flush() expects exactly 0 arguments, 1 given
ArgumentCountError: WRStats::metrics() expects exactly 0 arguments, 1 given
