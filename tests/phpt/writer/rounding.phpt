--TEST--
each increment is rounded to the resolution by itself, as PHP's round() does
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
mt_srand(20240607);
$wrong = 0;
$n = 0;
foreach ([0.1, 0.01, 1e-3, 0.3, 7, 3, 2.5, 1 / 3, 1e6] as $at => $resolution) {
    $h->setCurrentTime(1000 + $at);
    $w = $h->createWriter(['m' => ['resolution' => $resolution, 'sequences' => [['timeStep' => 1, 'expiry' => 10]]]], "round$at");
    for ($i = 0; $i < 3000; $i++) {
        $value = match ($i % 5) {
            // On and next to a half, small and large, with the digits that older round()s look at.
            0 => (mt_rand(0, 1000) + 0.5) * $resolution,
            1 => (mt_rand(0, 1000) + 0.5 - 1e-14 * mt_rand(0, 100)) * $resolution,
            2 => (mt_rand(0, 2 ** 31 - 1) * 1000 + 0.5) * $resolution,
            3 => mt_rand() / 977,
            4 => mt_rand(0, 100000),
        };
        $w->incr('m', [$i], $value);
        $expected[$i] = (int)round($value / $resolution);
    }
    $w->flush();
    foreach (array_chunk(array_keys($expected), 500) as $some) {
        $keys = array_map(fn($i) => "local:round$at:m::" . (1000 + $at) . ":$i", $some);
        $found = $h->getCounters($keys);
        foreach ($some as $j => $i) {
            $n++;
            if (($found[$keys[$j]] ?? null) !== $expected[$i] && $wrong++ < 5) {
                echo "resolution $resolution, #$i: expected $expected[$i], got ", json_encode($found[$keys[$j]] ?? null), "\n";
            }
        }
    }
}
same([27000, 0], [$n, $wrong], 'compared and wrong');
$w = $h->createWriter(['m' => seq(1, 10)], 'sums');
for ($i = 0; $i < 10; $i++) {
    $w->incr('m', null, 0.4);
}
$w->incr('m', null, 0.5);
$w->flush();
same(1, $h->getCounters(['local:sums:m::1008'])['local:sums:m::1008'], 'ten times 0.4 is ten times nothing');
echo "done\n";
--EXPECT--
done
