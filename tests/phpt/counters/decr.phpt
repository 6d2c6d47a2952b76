--TEST--
decr takes off, stops at 0, leaves missing counters missing
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k(), '5');
$w->decr(k(), 2);
$w->decr(k('missing'), 2);
same(true, $w->sync(), 'sync: no such key is no failure');
same('3', raw()->get(k()), 'after decr 2');
$w->decr(k(), 10);
$w->sync();
same('0', raw()->get(k()), 'below zero');
same(null, raw()->get(k('missing')), 'missing');
same(0, $w->decrAndGet(k(), 1), 'decrAndGet at 0');
same(null, $w->decrAndGet(k('missing')), 'decrAndGet of a missing counter');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
