--TEST--
increments with another TTL don't merge; the first one's TTL is kept
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k(), 1, 60);
$w->incr(k(), 1, 600);
$w->sync();
same(0, $w->metrics()['merged'], 'merged');
same('2', raw()->get(k()), 'value');
between(58, 60, raw()->ttl(k()), 'seconds left');
echo "done\n";
--EXPECT--
done
