--TEST--
numbers don't depend on the locale
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

setlocale(LC_ALL, 'de_DE.UTF-8', 'de_DE', 'fr_FR.UTF-8', 'C');
$w = client(['timeout' => 0.75]);
same(1234567, $w->incrAndGet(k(), 1234567), 'incrAndGet');
same('1234567', raw()->get(k()), 'on the server');
same(1, (new WRStats('memory:'))->incrAndGet('x'), 'memory:');
echo "done\n";
--EXPECT--
done
