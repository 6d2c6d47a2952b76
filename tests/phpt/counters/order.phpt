--TEST--
writes of one key reach the server in the order queued
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k('a'), '50');
$w->delete(k('a'), background: true);
$w->incr(k('a'), 5);
$w->incr(k('a'), 2);
same('7', $w->get(k('a')), 'delete, incr, incr');
$w->incr(k('b'), 5);
$w->decr(k('b'), 3);
$w->incr(k('b'), 1);
same('3', $w->get(k('b')), 'incr, decr, incr');
raw()->set(k('c'), '3');
$w->decr(k('c'), 10);
$w->incr(k('c'), 5);
same('5', $w->get(k('c')), 'decr, incr');
$w->incr(k('d'), 5);
$w->set(k('d'), '40', background: true);
$w->incr(k('d'), 2);
same('42', $w->get(k('d')), 'incr, set, incr');
$w->set(k('e'), '1', background: true);
$w->incr(k('e'), 1);
$w->delete(k('e'), background: true);
same(null, $w->get(k('e')), 'set, incr, delete');
echo "done\n";
--EXPECT--
done
