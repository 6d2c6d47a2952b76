--TEST--
a read sees what this process queued before
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k('a'), 5);
same('5', $w->get(k('a')), 'get');
$w->incr(k('a'), 1);
same([k('a') => '6'], $w->getMulti([k('a')]), 'getMulti');
$w->incr(k('a'), 1);
same([k('a') => 7], $w->getCounters([k('a')]), 'getCounters');
$w->incr(k('a'), 1);
same(9, $w->incrAndGet(k('a')), 'incrAndGet');
$w->decr(k('a'), 1);
same(7, $w->decrAndGet(k('a')), 'decrAndGet');
$w->incr(k('b'));
same(false, $w->add(k('b'), 'x'), 'add');
$w->incr(k('c'));
same(true, $w->delete(k('c')), 'delete');
$w->incr(k('d'));
same(true, $w->touch(k('d'), 60), 'touch');
client(['prefix' => k('')])->incr('e');
same('1', $w->get(k('e')), 'another handle queued it');
echo "done\n";
--EXPECT--
done
