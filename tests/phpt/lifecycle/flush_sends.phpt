--TEST--
flush() hands everything to the kernel; it doesn't wait
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incrAndGet(k('connected'));
$w->incr(k(), 6);
same(null, raw()->get(k()), 'before');
same(true, $w->flush(), 'flush');
same(0, $w->metrics()['pending'], 'pending');
for ($tries = 0; $tries < 100 && raw()->get(k()) === null; $tries++) {
    usleep(5_000);
}
same('6', raw()->get(k()), 'after');
check_books($w, 'flushed');
$w->sync();
same(1, $w->metrics()['confirmed'], 'confirmed');
echo "done\n";
--EXPECT--
done
