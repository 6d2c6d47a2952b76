--TEST--
a read behind background writes does not wait for a delayed acknowledgement
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incrAndGet(k());
$times = [];
for ($i = 0; $i < 200; $i++) {
    $w->incr(k('a'));
    $w->flush();
    $w->incr(k('b'));
    $from = microtime(true);
    $w->get(k());
    $times[] = microtime(true) - $from;
}
sort($times);
// Nagle's algorithm makes 40 ms of it, each time; a busy machine only now and then.
between(0, 0.02, $times[150], 'seconds of three reads in four');
echo "done\n";
--EXPECT--
done
