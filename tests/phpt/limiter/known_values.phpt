--TEST--
limits count as MediaWiki's WRStatsRateLimiter counts
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$l = $h->createRateLimiter(['c' => ['limit' => 3, 'window' => 100]], 'WRStats', ['bucketCount' => 10]);
foreach ([1000, 1010, 1020] as $i => $time) {
    $l->setCurrentTime($time);
    $result = $l->tryIncr('c');
    same([true, $i, $i + 1, 3, 100], [$result->isAllowed(), $result->prevTotal, $result->newTotal, $result->limit, $result->window], "hit at $time");
}
$l->setCurrentTime(1090);
$result = $l->peek('c');
same([false, 3, 4], [$result->isAllowed(), $result->prevTotal, $result->newTotal], 'at 1090');
$l->setCurrentTime(1103);
same(3, $l->peek('c')->prevTotal, 'at 1103');
$l->setCurrentTime(1109);
same([true, false], [$l->tryIncr('c')->isAllowed(), $l->tryIncr('c')->isAllowed()], 'at 1109');
same(['local:WRStats:c::100' => 1, 'local:WRStats:c::110' => 1], $h->getCounters(['local:WRStats:c::100', 'local:WRStats:c::110', 'local:c']), 'keys');
echo "done\n";
--EXPECT--
done
