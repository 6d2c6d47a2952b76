--TEST--
decompress(): a size beyond all memory, merely claimed, is refused; the process goes on
--EXTENSIONS--
wrstats
--SKIPIF--
<?php
require __DIR__ . '/../inc/skip-slow.inc'; // valgrind needs more memory than this leaves
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

// So many bytes of instructions could make 2 GiB.
$code = '
    var_dump(WRStats::decompress(str_repeat("\0", 8 << 20), PHP_INT_MAX));
    var_dump(strlen(WRStats::decompress(str_repeat("\0", 8 << 20), 4 << 20)));
';
passthru('ulimit -v 1000000; ' . php() . ' -r ' . escapeshellarg($code) . ' 2>&1');
--EXPECT--
NULL
int(4194304)
