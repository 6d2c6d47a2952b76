--TEST--
a counter starts at init, which later increments don't touch
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k('a'), 5, 0, 100);
$w->sync();
same('100', raw()->get(k('a')), 'created');
$w->incr(k('a'), 5, 0, 100);
$w->sync();
same('105', raw()->get(k('a')), 'added to');
same(7, $w->incrAndGet(k('b'), 2, 0, 7), 'incrAndGet creates');
same(9, $w->incrAndGet(k('b'), 2, 0, 7), 'incrAndGet adds');
same(0, $w->incrAndGet(k('c'), 2, 0, 0), 'init 0');
echo "done\n";
--EXPECT--
done
