--TEST--
a clock behind another's: finite, 0 or more, no warning
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

set_error_handler(function ($level, $text) { throw new ErrorException($text); });
$h = new WRStats('memory:');
foreach ([false, true] as $strict) {
    foreach ([60, 0.7, 100 / 3] as $i => $window) {
        $l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => $window]], "clock$strict$i", ['strict' => $strict, 'bucketCount' => 7]);
        $step = $window / 7;
        foreach ([0, 1, 2, 7, 7.5] as $ahead) {
            $l->setCurrentTime(1000 * $step + $ahead * $step);
            $l->incr('c', null, 4);
        }
        foreach ([1000, 999, 999.5, 995, 1000.0, 1001, 1007, 1014.5, 2000, 0] as $now) {
            $l->setCurrentTime($now * $step);
            foreach ([0, 1, 5] as $amount) {
                $result = $l->peek('c', null, $amount);
                foreach ([$result->prevTotal, $result->newTotal, $result->remaining(), $result->retryAfter()] as $number) {
                    if (!is_finite($number) || $number < 0) {
                        echo "window $window at $now: ", json_encode($number), "\n";
                    }
                }
                same(true, $result->remaining() <= 5, 'remaining');
                same($result->isAllowed(), $result->retryAfter() === 0.0, 'retryAfter() is 0 exactly if allowed');
            }
        }
    }
}
echo "done\n";
--EXPECT--
done
