--TEST--
the routing prefix is on the wire and nowhere else
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['route' => '/codfw/mw/', 'prefix' => 'p:']);
$w->set(k(), 'v');
same('v', raw()->get('/codfw/mw/p:' . k()), 'on the wire');
same([k() => 'v'], $w->getMulti([k()]), 'returned key');
same(true, $w->delete(k()), 'delete');
echo "done\n";
--EXPECT--
done
