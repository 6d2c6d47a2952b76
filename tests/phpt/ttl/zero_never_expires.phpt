--TEST--
TTL 0 means never
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k('incr'));
$w->set(k('set'), 'v', 0);
raw()->set(k('touch'), 'v', 60);
$w->touch(k('touch'), 0);
$w->sync();
echo raw()->ttl(k('incr')), ' ', raw()->ttl(k('set')), ' ', raw()->ttl(k('touch')), "\n";
--EXPECT--
-1 -1 -1
