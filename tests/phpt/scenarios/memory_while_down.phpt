--TEST--
with the server down five million increments take no more memory than buffer_bytes
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$rss = function (): int {
    preg_match('/^VmRSS:\s+(\d+)/m', file_get_contents('/proc/self/status'), $found);
    return (int)$found[1] << 10;
};
$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()], 'buffer_bytes' => 4 << 20, 'retry_interval' => 0.1]);
$w->incr('first');
$before = $rss();
$longest = 0;
for ($i = 0; $i < 5_000_000; $i++) {
    if ($i % 1000 === 0) {
        $from = hrtime(true);
        $w->incr("a-key-of-some-length:$i", 1, 60);
        $longest = max($longest, hrtime(true) - $from);
    } else {
        $w->incr("a-key-of-some-length:$i", 1, 60);
    }
}
between(0, 8 << 20, $rss() - $before, 'bytes more');
between(0, 50_000_000, $longest, 'nanoseconds of the longest call seen');
$m = $w->metrics();
same(5_000_001, $m['calls'], 'calls');
between(4_500_000, 5_000_000, $m['refused'], 'refused');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
