--TEST--
a counter is gone when its TTL is over
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
// The server's clock ticks once a second: a TTL of 1 may be over at once.
$w->incr(k(), 1, 2);
same(1, $w->getCounters([k()])[k()] ?? null, 'at once');
usleep(3_200_000);
same(null, $w->get(k()), 'three seconds later');
same(1, $w->incrAndGet(k(), 1, 60), 'a new one starts over');
echo "done\n";
--EXPECT--
done
