--TEST--
increments from several handles on one pool merge
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$a = client(['prefix' => k('')]);
$b = client();
$a->incr('k', 2);
$b->incr(k('k'), 3);
$a->sync();
same('5', raw()->get(k('k')), 'value');
same(1, $a->metrics()['merged'], 'merged');
echo "done\n";
--EXPECT--
done
