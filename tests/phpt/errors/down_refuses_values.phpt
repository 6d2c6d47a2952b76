--TEST--
value writes to a server that is known to be down are refused, increments queued
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()], 'retry_interval' => 30]);
same([], $w->getMulti(['k']), 'now it is known');
same(false, $w->set('k', 'v', background: true), 'set');
same(false, $w->add('k', 'v', background: true), 'add');
same(false, $w->replace('k', 'v', background: true), 'replace');
same(false, $w->touch('k', 60, background: true), 'touch');
same(true, $w->incr('n'), 'incr');
same(true, $w->decr('m'), 'decr');
same(true, $w->delete('k', background: true), 'delete');
$m = $w->metrics();
same([7, 4, 3], [$m['calls'], $m['refused'], $m['pending']], 'calls, refused, pending');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
