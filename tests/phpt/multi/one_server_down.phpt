--TEST--
multi-key calls answer what they have and set lastError
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$down = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [server(), $down->address], 'persistent' => k()]);
$keys = array_map(fn($i) => k("n$i"), range(0, 99));
same(true, $w->setMulti(array_fill_keys($keys, '1')), 'setMulti');
same(100, count($w->getMulti($keys)), 'getMulti with both up');
$down->kill();
$alive = array_values(array_filter($keys, fn($key) => $w->serverFor($key) === server()));
between(10, 90, count($alive), 'keys of the live server');
same(array_fill_keys($alive, '1'), $w->getMulti($keys), 'getMulti');
between(1, 2, $w->lastErrorCode(), 'lastErrorCode');
same(true, str_contains($w->lastError(), $down->address), "lastError names the server ({$w->lastError()})");
same(array_fill_keys($alive, 1), $w->getCounters($keys), 'getCounters');
same(WRStats::ERROR_UNREACHABLE, $w->lastErrorCode(), 'lastErrorCode');
same(false, $w->setMulti(array_fill_keys($keys, '2')), 'setMulti');
same(false, $w->touchMulti($keys, 60), 'touchMulti');
same(false, $w->deleteMulti($keys), 'deleteMulti');
same([], $w->getMulti($alive), 'deleted');
same(WRStats::ERROR_NONE, $w->lastErrorCode(), 'after a call that concerned only the live server');
same(null, $w->lastError(), 'after a call that concerned only the live server');
echo "done\n";
--EXPECT--
done
