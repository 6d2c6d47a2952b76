--TEST--
a key of 250 bytes works everywhere
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$key = str_pad(k(), 250, 'x');
same(true, $w->set($key, 'v'), 'set');
same('v', $w->get($key), 'get');
same([$key => 'v'], $w->getMulti([$key]), 'getMulti');
same(true, $w->touch($key, 60), 'touch');
same(true, $w->delete($key), 'delete');
same(true, $w->incr($key, 2), 'incr');
same(4, $w->incrAndGet($key, 2), 'incrAndGet');
same(3, $w->decrAndGet($key), 'decrAndGet');
echo "done\n";
--EXPECT--
done
