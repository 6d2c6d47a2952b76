--TEST--
resetAll() deletes every bucket of every metric of these entities, and discards what is gathered
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(10000);
$specs = ['m' => seq(100, 1000), 'n' => ['sequences' => [['timeStep' => 50, 'expiry' => 100], ['name' => 'long', 'timeStep' => 1000, 'expiry' => 5000]]]];
$w = $h->createWriter($specs);
$entities = [null, ['a', 1], WRStats\EntityKey::global('g'), new ForeignKey(['f']), ['kept']];
foreach ([9000, 9500, 10000] as $time) {
    $w->setCurrentTime($time);
    foreach ($entities as $entity) {
        $w->incr('m', $entity);
        $w->incr('n', $entity);
    }
}
$w->flush();
$w->incr('m', ['gathered']);
$all = fn() => array_map(fn($entity) => array_map(
    fn($key) => counter($h, $key . $entity),
    ['m::90', 'm::95', 'm::100', 'n::180', 'n::190', 'n::200', 'n:long:9', 'n:long:10'],
), [0 => '']);
$read = function () use ($h, $specs, $entities) {
    $reader = $h->createReader($specs);
    $reader->setCurrentTime(10000);
    return array_map(fn($e) => array_sum($reader->total($reader->getRates(['m', 'n'], $e, $reader->latest(5000)))), $entities);
};
same([6, 6, 6, 6, 6], $read(), 'before');
$w->resetAll([['a', 1], WRStats\EntityKey::global('g'), new ForeignKey(['f'])]);
same([6, 0, 0, 0, 6], $read(), 'these three');
$w->resetAll();
same([0, 0, 0, 0, 6], $read(), 'default: the empty local one');
$w->flush();
same(null, counter($h, 'local:WRStats:m::100:gathered'), 'gathered is discarded');
$w->resetAll([]);
$w->incr('m');
$w->flush();
same('1', counter($h, 'local:WRStats:m::100'), 'usable after that');
// Ten entities of an hour's seconds: about 36,000 deletions.
$fine = $h->createWriter(['s' => seq(1, 3600)]);
$fine->setCurrentTime(10000);
for ($i = 0; $i < 10; $i++) {
    $fine->incr('s', [$i]);
}
$fine->flush();
$from = microtime(true);
$fine->resetAll(array_map(fn($i) => [$i], range(0, 9)));
for ($i = 0; $i < 10; $i++) {
    same(null, counter($h, "local:WRStats:s::10000:$i"), "fine $i");
}
between(0, 5, microtime(true) - $from, 'seconds for 36,000 deletions');
check_books($h, 'after');
echo "done\n";
--EXPECT--
done
