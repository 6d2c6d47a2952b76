--TEST--
a TTL is relative in the classic protocol too
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['protocol' => 'classic']);
foreach ([2_592_000, 2_592_001, 31_536_000] as $ttl) {
    $w->incr(k("incr$ttl"), 1, $ttl);
    same(1, $w->incrAndGet(k("answered$ttl"), 1, $ttl), 'incrAndGet');
    same(true, $w->set(k("set$ttl"), 'v', $ttl), 'set');
    same(true, $w->touch(k("set$ttl"), $ttl), 'touch');
    same(true, $w->sync(), 'sync');
    // Above 30 days it travels as a time, and memcached's clock is up to two seconds behind: it ticks once a second, from its start on.
    foreach (['incr', 'answered', 'set'] as $name) {
        between($ttl - 3, $ttl + 2, raw()->ttl(k($name . $ttl)), "$name $ttl: seconds left");
    }
}
echo "done\n";
--EXPECT--
done
