--TEST--
past buffer_bytes new commands are refused and counted; merging is not
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach ([1, 3] as $servers) {
    $dead = array_map(fn() => \WRStats\Tests\Server::freePort(), range(1, $servers));
    $w = new WRStats(['servers' => $dead, 'buffer_bytes' => 20_000]);
    $taken = [];
    for ($i = 0; $i < 5_000; $i++) {
        if ($w->incr("a-key-of-some-length:$i")) {
            $taken[] = "a-key-of-some-length:$i";
        }
    }
    $m = $w->metrics();
    between(100 * $servers, 1_500 * $servers, count($taken), 'taken');
    same([count($taken), 5_000 - count($taken), 5_000], [$m['queued'], $m['refused'], $m['calls']], 'queued, refused, calls');
    between(1, 20_000 * $servers, $m['pending_bytes'], 'pending_bytes');
    same([], array_filter($taken, fn($key) => !$w->incr($key)), 'refused though it is queued');
    // Where there is room left for a short key, one that shares a slot of the merge table is queued anew.
    $m = $w->metrics();
    same(2 * count($taken), $m['queued'] + $m['merged'], 'queued and merged');
    between(count($taken) - 2 * $servers, count($taken), $m['merged'], 'merged');
    same(false, $w->incr('a-key-of-some-length:new'), 'a new key');
    check_books($w, 'end');
}
echo "done\n";
--EXPECT--
done
