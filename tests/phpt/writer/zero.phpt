--TEST--
a value of 0 makes a counter of 0, as PHP's WRStats does
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$w->incr('m', null, 0);
$w->flush();
same('0', counter($h, 'local:WRStats:m::10'), 'zero');
echo "done\n";
--EXPECT--
done
