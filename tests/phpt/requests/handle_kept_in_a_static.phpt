--TEST--
a handle may live as long as its request, and its name as long as the worker
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$web = web('
    final class Holder { public static ?WRStats $w = null; }
    Holder::$w ??= client();
    Holder::$w->incr(k());
    echo Holder::$w->get(k());
');
echo $web->get(''), $web->get(''), $web->get(''), "\n";
--EXPECT--
123
