--TEST--
a key that begins another keeps its own value
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k('0'), 'short');
$w->set(k('0_additional'), 'long');
foreach ([['0', '0_additional'], ['0_additional', '0']] as $names) {
    echo implode(' ', $w->getMulti(array_map(k(...), $names))), "\n";
}
--EXPECT--
short long
long short
