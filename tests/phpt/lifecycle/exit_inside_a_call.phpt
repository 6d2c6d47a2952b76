--TEST--
exit() in a key's __toString loses nothing
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

run('
    $w = client();
    $w->incr(k(), 2);
    $w->incr(new class { function __toString(): string { exit(0); } });
');
echo raw()->get(k()), "\n";
--EXPECT--
2
