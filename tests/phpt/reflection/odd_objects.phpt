--TEST--
handles can't be cloned, serialized, half-made or given properties
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
caught(fn() => clone $w);
caught(fn() => serialize($w));
caught(fn() => unserialize('O:7:"WRStats":0:{}'));
caught(fn() => unserialize('C:7:"WRStats":0:{}'));
caught(fn() => (new ReflectionClass('WRStats'))->newInstanceWithoutConstructor()->get('a'));
caught(function () use ($w) {
    $w->property = 1;
});
var_dump($w);
echo json_encode($w), "\n";
var_dump((array)$w, $w == new WRStats('memory:'), (new ReflectionClass($w))->isFinal());
$w->incr('k');
echo $w->get('k'), "\n";
--EXPECTF--
Error: Trying to clone an uncloneable object of class WRStats
Exception: Serialization of 'WRStats' is not allowed
Exception: Unserialization of 'WRStats' is not allowed
%s: %s
ReflectionException: Class WRStats is an internal class marked as final that cannot be instantiated without invoking its constructor
Error: Cannot create dynamic property WRStats::$property
object(WRStats)#%d (0) {
}
{}
array(0) {
}
bool(%s)
bool(true)
1
