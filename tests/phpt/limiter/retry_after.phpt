--TEST--
who waits for retryAfter() seconds is let through; who comes a hundredth of a bucket earlier is not
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$seed = (int)(getenv('WRSTATS_SEED') ?: 42);
mt_srand($seed);
$n = 0;
$bad = 0;
foreach ([false, true] as $strict) {
    for ($round = 0; $round < 300; $round++) {
        $h = new WRStats('memory:');
        $window = [60, 100, 7.5, 3600, 1][mt_rand(0, 4)];
        $buckets = mt_rand(1, 40);
        $limit = mt_rand(1, 30);
        $step = $window / $buckets;
        $l = $h->createRateLimiter(['c' => ['limit' => $limit, 'window' => $window]], "r$round" . (int)$strict, ['strict' => $strict, 'bucketCount' => $buckets]);
        $now = 1_700_000_000 + mt_rand(0, 1000000) / 777;
        for ($hit = mt_rand(1, 12); $hit > 0; $hit--) {
            $now += $window * mt_rand(0, 1000) / 4000;
            $l->setCurrentTime($now);
            $l->incr('c', null, mt_rand(0, $limit));
        }
        $amount = mt_rand(1, $limit);
        $result = $l->peek('c', null, $amount);
        same(max(0, $limit - $result->prevTotal), $result->remaining(), 'remaining');
        $wait = $result->retryAfter();
        same($result->isAllowed(), $wait === 0.0, "allowed exactly without wait");
        if ($wait === 0.0) {
            continue;
        }
        $n++;
        $l->setCurrentTime($now + $wait);
        $then = $l->peek('c', null, $amount)->isAllowed();
        $l->setCurrentTime($now + max(0, $wait - $step / 100));
        $before = $l->peek('c', null, $amount)->isAllowed();
        if ((!$then || $before) && $bad++ < 5) {
            echo "seed $seed, round $round, strict ", (int)$strict, ": wait $wait, then ", (int)$then, ', earlier ', (int)$before, "\n";
        }
    }
}
same(true, $n > 200, "waits looked at: $n");
same(0, $bad, 'wrong');
echo "done\n";
--EXPECT--
done
