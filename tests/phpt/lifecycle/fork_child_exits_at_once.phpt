--TEST--
a child is gone at once, whatever its parent has open and queued
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incrAndGet(k());
$slowest = 0;
for ($i = 0; $i < 100; $i++) {
    $w->incr(k("n$i"));
    $from = microtime(true);
    if (($pid = pcntl_fork()) === 0) {
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    $slowest = max($slowest, microtime(true) - $from);
}
between(0, 0.1, $slowest, 'seconds until the slowest child was gone');
echo "done\n";
--EXPECT--
done
