--TEST--
items in memory: expire
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
$w->incr('a', 1, 2);
$w->set('b', 'v', 2);
$w->incr('c', 1, 60);
same(['a' => '1', 'b' => 'v', 'c' => '1'], $w->getMulti(['a', 'b', 'c']), 'at once');
usleep(3_100_000);
same(['c' => '1'], $w->getMulti(['a', 'b', 'c']), 'later');
same(5, $w->incrAndGet('a', 5, 60), 'starts over');
echo "done\n";
--EXPECT--
done
