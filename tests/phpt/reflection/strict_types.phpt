--TEST--
with strict_types nothing is coerced, and documented types pass
--EXTENSIONS--
wrstats
--FILE--
<?php

declare(strict_types=1);

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
same(true, $w->incr('k', 1, 60, null), 'incr');
same(true, $w->sync(1), 'int for float');
caught(fn() => $w->incr(123));
caught(fn() => $w->incr('k', '5'));
caught(fn() => $w->incr('k', 1.0));
caught(fn() => $w->incr('k', true));
caught(fn() => $w->incr('k', 1, null));
caught(fn() => $w->incr('k', 1, 0, '1'));
caught(fn() => $w->set('k', 5));
caught(fn() => $w->set('k', 'v', 0, 0, 1));
caught(fn() => $w->getMulti('k'));
caught(fn() => $w->sync('1'));
caught(fn() => $w->incr(new class {
    public function __toString(): string
    {
        return 'k';
    }
}));
--EXPECTF--
TypeError: WRStats::incr(): Argument #1 ($key) must be of type string, int given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, string given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, float given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, %s given
TypeError: WRStats::incr(): Argument #3 ($ttl) must be of type int, null given
TypeError: WRStats::incr(): Argument #4 ($init) must be of type ?int, string given
TypeError: WRStats::set(): Argument #2 ($value) must be of type string, int given
TypeError: WRStats::set(): Argument #5 ($background) must be of type bool, int given
TypeError: WRStats::getMulti(): Argument #1 ($keys) must be of type array, string given
TypeError: WRStats::sync(): Argument #1 ($timeout) must be of type ?float, string given
TypeError: WRStats::incr(): Argument #1 ($key) must be of type string, class@anonymous given
