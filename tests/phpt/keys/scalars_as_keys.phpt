--TEST--
weak mode takes ints, floats, bools and Stringables as keys, as PHP's functions do
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
$object = new class {
    public function __toString(): string
    {
        return 'object';
    }
};
foreach ([123, 1.5, true, $object] as $key) {
    $w->incr($key);
}
echo json_encode($w->getCounters(['123', '1.5', '1', 'object'])), "\n";
caught(fn() => $w->incr(null));
caught(fn() => $w->incr(false));
caught(fn() => $w->incr([]));
caught(fn() => $w->incr(new stdClass));
--EXPECTF--
{"123":1,"1.5":1,"1":1,"object":1}

Deprecated: WRStats::incr(): Passing null to parameter #1 ($key) of type string is deprecated in %s on line %d
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes%s
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes%s
TypeError: WRStats::incr(): Argument #1 ($key) must be of type string, array given
TypeError: WRStats::incr(): Argument #1 ($key) must be of type string, stdClass given
