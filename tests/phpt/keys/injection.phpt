--TEST--
nothing in a key or prefix becomes a command
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k('kept'), 'here');
$evil = "x\r\nflush_all\r\n";
foreach (['incr', 'get', 'delete'] as $method) {
    try {
        $w->$method($evil);
        echo "$method took it\n";
    } catch (ValueError $e) {
        same(false, (bool)preg_match('/[\x00-\x1f\x7f]/', $e->getMessage()), 'control characters in the message');
    }
}
try {
    client(['prefix' => $evil]);
    echo "prefix took it\n";
} catch (ValueError) {
}
try {
    $w->incr('x', 1, "0\r\nflush_all");
    echo "ttl took it\n";
} catch (TypeError) {
}
same('here', $w->get(k('kept')), 'another key');
echo "done\n";
--EXPECT--
done
