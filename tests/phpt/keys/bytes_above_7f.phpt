--TEST--
keys may hold any byte above 0x7f, in every locale
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$key = k("caf\xC3\xA9:\xE2\x98\x95:\xff\x80");
same(1, $w->incrAndGet($key), 'first');
setlocale(LC_ALL, 'C');
same(2, $w->incrAndGet($key), 'locale C');
setlocale(LC_ALL, 'tr_TR.UTF-8', 'tr_TR');
same([$key => '2'], $w->getMulti([$key]), 'getMulti');
echo "done\n";
--EXPECT--
done
