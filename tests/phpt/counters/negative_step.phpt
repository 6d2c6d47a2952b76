--TEST--
a negative step is refused, also PHP_INT_MIN
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
foreach ([-1, PHP_INT_MIN] as $step) {
    caught(fn() => $w->incr('k', $step));
    caught(fn() => $w->decr('k', $step));
    caught(fn() => $w->incrAndGet('k', $step));
    caught(fn() => $w->decrAndGet('k', $step));
    caught(fn() => $w->incr('k', 1, 0, $step));
}
same(null, $w->get('k'), 'k');
--EXPECTF--
ValueError: WRStats::incr(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::decr(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::incrAndGet(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::decrAndGet(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::incr(): Argument #4 ($init) must be %s
ValueError: WRStats::incr(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::decr(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::incrAndGet(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::decrAndGet(): Argument #2 ($step) must be greater than or equal to 0%S
ValueError: WRStats::incr(): Argument #4 ($init) must be %s
