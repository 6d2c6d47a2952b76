--TEST--
every sequence counts; one whose name is taken gets a name of its own
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => ['sequences' => [
    ['name' => 'a', 'timeStep' => 10, 'expiry' => 100],
    ['timeStep' => 100, 'expiry' => 1000],
    'third' => ['name' => 'a', 'timeStep' => 20, 'expiry' => 50],
    ['timeStep' => 500, 'expiry' => 10],
]]], ['p', 'q r', 7]);
$w->incr('m', [1], 5);
$w->flush();
// The fourth has index 2: PHP numbers on from what it has numbered.
foreach (['a:100' => 110, ':10' => 1100, 'asthird:50' => 70, 's2:2' => 510] as $key => $ttl) {
    same('5', counter($h, "local:p:q_r:7:m:$key:1"), $key);
    between($ttl - 30, $ttl, raw()->ttl(k('') . "local:p:q_r:7:m:$key:1"), "lifetime of $key");
}
echo "done\n";
--EXPECT--
done
