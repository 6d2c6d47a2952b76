--TEST--
a limit of n lets n through
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

foreach ([false, true] as $strict) {
    $h = new WRStats('memory:');
    $h->setCurrentTime(1000.5);
    $l = $h->createRateLimiter(['five' => ['limit' => 5, 'window' => 60], 'one' => ['limit' => 1, 'window' => 10], 'none' => ['limit' => 0, 'window' => 10],
        'ninety' => ['limit' => 90, 'window' => 3600.5]], "limits$strict", ['strict' => $strict]);
    $tries = fn($condition, $n, $amount = 1) => array_map(fn() => $GLOBALS['l']->tryIncr($condition, null, $amount)->isAllowed(), range(1, $n));
    same([true, true, true, true, true, false, false, false], $tries('five', 8), 'five');
    same([true, false], $tries('one', 2), 'one');
    $l->setCurrentTime(1005);
    same([false], $tries('one', 1), 'one, later');
    $l->setCurrentTime(1011.5);
    same([true], $tries('one', 1), 'one, after the window');
    same([false], $tries('none', 1), 'a limit of 0');
    same([true], $tries('none', 1, 0), 'a limit of 0, nothing asked');
    // An amount is let through whole or not at all.
    $h->setCurrentTime(1000);
    $l = $h->createRateLimiter(['ninety' => ['limit' => 90, 'window' => 3600]], "costs$strict", ['strict' => $strict]);
    for ($i = 0; $i < 9; $i++) {
        $l->incr('ninety', null, 9);
    }
    $result = $l->tryIncr('ninety', null, 10);
    same([false, 81, 91, 9], [$result->isAllowed(), $result->prevTotal, $result->newTotal, $result->remaining()], 'ten more');
    $result = $l->tryIncr('ninety', null, 9);
    same([true, 81, 90, 9], [$result->isAllowed(), $result->prevTotal, $result->newTotal, $result->remaining()], 'nine more');
    same([false], $tries('ninety', 1), 'one more');
    same([false, INF], [$l->tryIncr('ninety', ['e'], 91)->isAllowed(), $l->tryIncr('ninety', ['e'], 91)->retryAfter()], 'above the limit');
    same(0, $l->peek('ninety', ['e'])->prevTotal, 'not counted');
}
echo "done\n";
--EXPECT--
done
