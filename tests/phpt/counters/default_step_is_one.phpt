--TEST--
step 1 without expiry is the default
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k());
$w->sync();
echo raw()->get(k()), ' ', raw()->ttl(k()), "\n";
--EXPECT--
1 -1
