--TEST--
calling the constructor again neither crashes nor loses anything
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k(), 2);
try {
    $w->__construct(['servers' => [server()], 'prefix' => 'p:']);
} catch (Error) {
}
same(true, $w->sync(), 'sync');
same('2', raw()->get(k()), 'value');
echo "done\n";
--EXPECT--
done
