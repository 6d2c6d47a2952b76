--TEST--
counts of the near future, a clock set back, now on an edge: finite, 0 or more, and no warning
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

set_error_handler(function ($level, $text) { throw new ErrorException($text); });
$h = new WRStats('memory:');
foreach ([100, 100.0, 0.1, 7, 1 / 3] as $i => $step) {
    $specs = ['m' => seq($step, 10 * $step)];
    $edge = 1000 * $step;
    $w = $h->createWriter($specs, "clock$i");
    foreach ([$edge - $step, $edge, $edge + $step, $edge + 2 * $step, 0, -$step, $edge + $step / 2] as $time) {
        $w->setCurrentTime($time);
        $w->incr('m', null, 9);
    }
    $w->flush();
    foreach ([$edge, $edge - $step / 3, $edge + $step, $edge - 5 * $step, 0, 0.0, -$step, $step, (int)$edge] as $now) {
        foreach ([0, $step / 7, $step, 3 * $step, 20 * $step] as $seconds) {
            foreach ([0, 5, $edge, $edge + 3 * $step] as $end) {
                $r = $h->createReader($specs, "clock$i");
                $r->setCurrentTime($now);
                $ranges = [$r->latest($seconds), $r->timeRange($end, $end + $seconds)];
                foreach ($ranges as $range) {
                    $rate = $r->getRate('m', null, $range);
                    foreach ([$rate->total(), $rate->perSecond(), $rate->perDay()] as $number) {
                        if (!is_finite($number) || $number < 0) {
                            echo "step $step, now $now, $range->start to $range->end: ", json_encode($number), "\n";
                        }
                    }
                }
            }
        }
    }
}
echo "done\n";
--EXPECT--
done
