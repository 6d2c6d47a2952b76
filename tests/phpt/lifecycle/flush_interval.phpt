--TEST--
in a long-running process queued writes go out with any later call
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['flush_interval' => 0.2, 'persistent' => k()]);
$w->incrAndGet(k('connected'));
$w->incr(k('first'));
usleep(300_000);
same(null, raw()->get(k('first')), 'no call, no sending');
$w->incr(k('second'));
usleep(100_000);
same('1', raw()->get(k('first')), 'sent with the next call');
echo "done\n";
--EXPECT--
done
