--TEST--
limiters of two handles on one server keep one limit
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

foreach (['meta', 'classic'] as $protocol) {
    $limiters = [];
    foreach ([0, 1] as $i) {
        $h = stats(['protocol' => $protocol, 'persistent' => "pool$i"]);
        $limiters[$i] = [$h, $h->createRateLimiter(['c' => ['limit' => 10, 'window' => 600]], "common$protocol")];
    }
    $allowed = 0;
    for ($i = 0; $i < 20; $i++) {
        [$h, $l] = $limiters[$i % 2];
        $allowed += (int)$l->tryIncr('c', ['e'])->isAllowed();
        $h->flush();
        $h->sync();
    }
    same(10, $allowed, $protocol);
}
echo "done\n";
--EXPECT--
done
