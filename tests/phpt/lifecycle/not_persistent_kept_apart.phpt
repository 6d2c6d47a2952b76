--TEST--
two handles that are not persistent don't meet
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$a = client(['persistent' => false]);
$a->incr(k());
$b = client(['persistent' => false]);
same(0, $b->metrics()['calls'], 'calls');
same(1, $a->metrics()['calls'], 'calls');
echo "done\n";
--EXPECT--
done
