--TEST--
conditions may be objects, and change between two calls
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

final class Condition { public function __construct(public int $limit, public int|float $window) {} }
$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$object = new Condition(3, 60);
$conditions = ['c' => $object, 'd' => ['limit' => 4, 'window' => 7.5], 'e' => (object)['limit' => 5, 'window' => 1, 'more' => 'fine']];
$l = $h->createRateLimiter($conditions, ['l', 5]);
same([3, 60, 4, 7.5, 5, 1], array_merge(...array_map(fn($c) => [$l->peek($c)->limit, $l->peek($c)->window], ['c', 'd', 'e'])), 'as given');
$object->limit = 9;
same(3, $l->peek('c')->limit, 'a limiter keeps what it was made of');
same(9, $h->createRateLimiter($conditions, ['l', 5])->peek('c')->limit, 'the next sees the change');
$plain = ['c' => ['limit' => 1, 'window' => 60]];
foreach ([[], ['bucketCount' => 2], ['strict' => true], [], ['bucketCount' => 2]] as $i => $options) {
    $l = $h->createRateLimiter($plain, 'same', $options);
    $l->incr('c', ["e$i"]);
    $step = ($options['bucketCount'] ?? 30) === 2 ? 30 : 2;
    $key = 'local:same:c::' . intdiv(1000, $step) . ":e$i";
    same([$key => 1], $h->getCounters([$key]), "options $i");
}
// The same again and again, under prefixes made anew.
for ($i = 0; $i < 50; $i++) {
    $l = $h->createRateLimiter($plain, ['limiter', 'action' . $i % 3]);
    $l->incr('c');
}
same([17, 17, 16], array_map(fn($i) => $h->getCounters(["local:limiter:action$i:c::500"])["local:limiter:action$i:c::500"], [0, 1, 2]), 'prefixes');
echo "done\n";
--EXPECT--
done
