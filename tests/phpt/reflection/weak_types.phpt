--TEST--
in weak mode numbers are coerced exactly as PHP's own functions do
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
$w->incr('numeric', '5');
$w->incr('float', 2.0);
$w->incr('bool', true);
$w->set('value', 'v', '60', '1', 0);
echo json_encode($w->getMulti(['numeric', 'float', 'bool', 'value'])), "\n";
$w->incr('fraction', 1.5);
echo $w->get('fraction'), "\n";
$w->incr('null', null);
echo $w->get('null'), "\n";
caught(fn() => $w->incr('k', 'many'));
caught(fn() => $w->incr('k', '5 apples'));
caught(fn() => $w->incr('k', 1e20));
caught(fn() => $w->incr('k', NAN));
caught(fn() => $w->incr('k', []));
--EXPECTF--
{"numeric":"5","float":"2","bool":"1","value":"v"}

Deprecated: Implicit conversion from float 1.5 to int loses precision in %s on line %d
1

Deprecated: WRStats::incr(): Passing null to parameter #2 ($step) of type int is deprecated in %s on line %d
0
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, string given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, string given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, float given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, float given
TypeError: WRStats::incr(): Argument #2 ($step) must be of type int, array given
