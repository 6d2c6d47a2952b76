--TEST--
the longest TTL ends just before 2^31
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$longest = 2147483647 - time();
same(1, $w->incrAndGet(k(), 1, $longest - 2), 'incrAndGet');
same(true, $w->sync(), 'sync');
same('1', raw()->get(k()), 'value');
between($longest - 5, $longest, raw()->ttl(k()), 'seconds left');
caught(fn() => $w->incr(k(), 1, $longest + 2));
--EXPECTF--
ValueError: WRStats::incr(): Argument #3 ($ttl) %s
