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
$w->incr(k(), 1, 1);
same(1, $w->getCounters([k()])[k()] ?? null, 'at once');
usleep(2_200_000);
same(null, $w->get(k()), 'two seconds later');
same(1, $w->incrAndGet(k(), 1, 60), 'a new one starts over');
echo "done\n";
--EXPECT--
done
