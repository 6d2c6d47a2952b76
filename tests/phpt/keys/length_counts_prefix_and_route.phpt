--TEST--
the 250 bytes count prefix and route
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => 'prefix-of-', 'route' => '/aa/bb/']);
$key = str_pad(k(), 233, 'x');
same(1, $w->incrAndGet($key), '10 + 7 + 233 bytes');
caught(fn() => $w->incrAndGet($key . 'x'));
caught(fn() => $w->incr($key . 'x'));
same(2, $w->incrAndGet($key), 'the next call');
same('2', raw()->get('/aa/bb/prefix-of-' . $key), 'on the wire');
echo "done\n";
--EXPECTF--
ValueError: WRStats::incrAndGet(): Argument #1 ($key) must be 1 to %d bytes%s
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to %d bytes%s
done
