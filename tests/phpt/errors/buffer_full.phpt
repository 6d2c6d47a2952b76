--TEST--
past buffer_bytes new commands are refused and counted; merging is not
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()], 'buffer_bytes' => 20_000]);
$taken = 0;
for ($i = 0; $i < 5_000; $i++) {
    $taken += $w->incr("a-key-of-some-length:$i") ? 1 : 0;
}
$m = $w->metrics();
between(100, 1_500, $taken, 'taken');
same([$taken, 5_000 - $taken, 5_000], [$m['queued'], $m['refused'], $m['calls']], 'queued, refused, calls');
between(1, 20_000, $m['pending_bytes'], 'pending_bytes');
// Two keys that share a slot of the merge table cost a merge at times: a tenth of so many, or a little more.
$merged = array_sum(array_map(fn($i) => (int)$w->incr("a-key-of-some-length:$i"), range(0, $taken - 1)));
between((int)($taken * 0.8), $taken, $merged, 'merging');
same($merged, $w->metrics()['merged'], 'merged');
same(false, $w->incr('a-key-of-some-length:new'), 'a new key');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
