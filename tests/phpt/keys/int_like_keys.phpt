--TEST--
array keys that PHP makes ints are keys like others
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
same(true, $w->incrMulti(['123' => 1, '-5' => 2, '007' => 3, '9223372036854775808' => 4]), 'incrMulti');
$expected = [123 => 1, -5 => 2, '007' => 3, '9223372036854775808' => 4];
same($expected, $w->getCounters(['123', '-5', '007', '9223372036854775808']), 'getCounters of strings');
same($expected, $w->getCounters([123, -5, '007', '9223372036854775808']), 'getCounters of ints');
same([123 => '1', -5 => '2'], $w->getMulti([123, '-5']), 'getMulti');
same('1', $w->getMulti(['123'])['123'], 'reachable by string');
same(true, $w->setMulti(['123' => 'a', '-5' => 'b']), 'setMulti');
same([123 => 'a', -5 => 'b'], $w->getMulti(['123', '-5']), 'after setMulti');
same(true, $w->touchMulti([123, -5], 60), 'touchMulti');
same(true, $w->deleteMulti([123, '-5']), 'deleteMulti');
same(null, raw()->get(k('') . '123'), 'gone');
echo "done\n";
--EXPECT--
done
