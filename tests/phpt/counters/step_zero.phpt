--TEST--
step 0 creates a counter at 0
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k('a'), 0);
same(0, $w->incrAndGet(k('b'), 0), 'incrAndGet');
same(true, $w->sync(), 'sync');
same('0', raw()->get(k('a')), 'incr');
echo "done\n";
--EXPECT--
done
