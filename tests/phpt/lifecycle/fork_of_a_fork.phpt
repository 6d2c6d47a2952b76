--TEST--
a grandchild has its own connection too
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incrAndGet(k());
if (($child = pcntl_fork()) === 0) {
    $w->incr(k());
    if (($grandchild = pcntl_fork()) === 0) {
        $w->incr(k());
        exit(0);
    }
    pcntl_waitpid($grandchild, $status);
    exit(0);
}
pcntl_waitpid($child, $status);
$w->incr(k());
$w->sync();
echo raw()->get(k()), "\n";
--EXPECT--
4
