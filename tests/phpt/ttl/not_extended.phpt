--TEST--
an increment doesn't move the expiry
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['meta', 'classic'] as $protocol) {
    $w = client(['protocol' => $protocol]);
    $w->incrAndGet(k($protocol), 1, 100);
    $w->incr(k($protocol), 1, 5000);
    $w->incrAndGet(k($protocol), 1, 5000);
    $w->decr(k($protocol));
    $w->sync();
    between(97, 100, raw()->ttl(k($protocol)), "$protocol: seconds left");
    same('2', raw()->get(k($protocol)), "$protocol: value");
}
echo "done\n";
--EXPECT--
done
