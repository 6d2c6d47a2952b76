--TEST--
a dead server never starves the others
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$dead = \WRStats\Tests\Server::freePort();
$w = new WRStats(['servers' => [server(), $dead], 'buffer_bytes' => 20_000]);
$keys = array_map(fn($i) => k("n$i"), range(0, 1_999));
$alive = array_values(array_filter($keys, fn($key) => $w->serverFor($key) === server()));
// Connected: until a server has told its dialect, all waits in its buffer.
$w->get($alive[0]);
foreach ($keys as $i => $key) {
    $w->incr($key);
    if ($i % 100 === 99) {
        $w->flush();
    }
}
$w->sync();
same(array_fill_keys($alive, 1), $w->getCounters($alive), 'counters of the live server');
between(1, 2_000, $w->metrics()['refused'], 'refused');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
