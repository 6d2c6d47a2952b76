--TEST--
handles on one pool keep their prefixes apart
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$a = client(['prefix' => k('a:')]);
$b = client(['prefix' => k('b:')]);
$none = client();
foreach ([$a, $b] as $w) {
    $w->incr('k');
}
$none->incr(k('k'));
$a->incr('k');
$none->sync();
echo raw()->get(k('a:k')), ' ', raw()->get(k('b:k')), ' ', raw()->get(k('k')), "\n";
--EXPECT--
2 1 1
