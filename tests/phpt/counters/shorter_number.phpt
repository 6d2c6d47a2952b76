--TEST--
a counter that lost a digit still is one
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k(), '10');
same(9, $w->decrAndGet(k()), 'decrAndGet');
same([k() => 9], $w->getCounters([k()]), 'getCounters');
same(raw()->get(k()), $w->get(k()), 'get gives bytes as stored');
same(10, $w->incrAndGet(k()), 'incrAndGet');
echo "done\n";
--EXPECT--
done
