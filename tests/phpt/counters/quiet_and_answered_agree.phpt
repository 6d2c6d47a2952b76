--TEST--
incr and incrAndGet leave the same on the server
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['meta', 'classic'] as $protocol) {
    $w = client(['protocol' => $protocol]);
    $w->incr(k("q$protocol"), 3, 60);
    $w->sync();
    $w->incrAndGet(k("s$protocol"), 3, 60);
    foreach (['q', 's'] as $name) {
        same('3', raw()->get(k($name . $protocol)), "$protocol $name");
        between(58, 60, raw()->ttl(k($name . $protocol)), "$protocol $name: seconds left");
    }
}
echo "done\n";
--EXPECT--
done
