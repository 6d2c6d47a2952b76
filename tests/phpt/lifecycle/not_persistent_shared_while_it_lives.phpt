--TEST--
handles of one config that is not persistent share a pool as long as one lives
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
same(1, $b->metrics()['calls'], 'calls seen by the second');
unset($a);
same(1, $b->metrics()['calls'], 'calls after the first is gone');
unset($b);
same(0, client(['persistent' => false])->metrics()['calls'], 'calls of a new pool');
echo "done\n";
--EXPECT--
done
