--TEST--
arrays may hold references
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$key = k();
$step = 4;
$steps = [k('a') => &$step];
$keys = [&$key, k('a')];
$w->incr($key);
$w->incrMulti($steps);
same([k() => 1, k('a') => 4], $w->getCounters($keys), 'counters');
same(k(), $key, 'key');
same(4, $step, 'step');
echo "done\n";
--EXPECT--
done
