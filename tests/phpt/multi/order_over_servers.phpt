--TEST--
answers keep the order asked, whatever servers they come from
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$other = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [server(), $other->address], 'persistent' => k()]);
$keys = array_map(fn($i) => k("n$i"), range(0, 199));
$w->setMulti(array_combine($keys, array_map(strval(...), range(0, 199))));
shuffle($keys);
same($keys, array_keys($w->getMulti($keys)), 'getMulti');
same($keys, array_keys($w->getCounters($keys)), 'getCounters');
echo "done\n";
--EXPECT--
done
