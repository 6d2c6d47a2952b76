--TEST--
a batch is counted whole or not at all; results are keyed by condition
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

foreach ([false, true] as $strict) {
    $h = new WRStats('memory:');
    $h->setCurrentTime(1000);
    $l = $h->createRateLimiter(['a' => ['limit' => 10, 'window' => 60], 'b' => ['limit' => 1, 'window' => 60], '7' => ['limit' => 100, 'window' => 30]],
        "batch$strict", ['strict' => $strict]);
    $batch = fn() => $l->createBatch(2)->localOp('a', 'x', 1)->globalOp('b', ['x', 5], 1)->localOp('7');
    $results = $batch()->peek();
    same([true, ['a', 'b', 7], []], [$results->isAllowed(), array_keys($results->getAllResults()), $results->getFailedResults()], 'peek');
    $allowed = [];
    for ($i = 0; $i < 3; $i++) {
        $results = $batch()->tryIncr();
        $allowed[] = $results->isAllowed();
    }
    same([true, false, false], $allowed, 'three times');
    same([['b'], ['a', 7]], [array_keys($results->getFailedResults()), array_keys($results->getPassedResults())], 'failed and passed');
    $all = $results->getAllResults();
    same(['a' => [1, 2, 10, 60], 'b' => [1, 2, 1, 60], 7 => [2, 4, 100, 30]],
        array_map(fn($r) => [$r->prevTotal, $r->newTotal, $r->limit, $r->window], $all), 'results');
    same(true, $all['a'] instanceof WRStats\LimitResult, 'class');
    same($all['b']->retryAfter(), $results->retryAfter(), 'the longest wait');
    // The condition is in the keys once more.
    same(['local:batch' . $strict . ':a::500:a:x' => 1, 'global:batch' . $strict . ':b::500:b:x:5' => 1, 'local:batch' . $strict . ':7::1000:7' => 2],
        $h->getCounters(['local:batch' . $strict . ':a::500:a:x', 'global:batch' . $strict . ':b::500:b:x:5', 'local:batch' . $strict . ':7::1000:7',
            'local:batch' . $strict . ':a::500:x']), 'keys');
    $batch()->incr();
    same([2, 2, 4], array_column($batch()->peek()->getAllResults(), 'prevTotal'), 'incr() counts whatever the limits');
    $empty = $l->createBatch()->tryIncr();
    same([true, [], 0.0], [$empty->isAllowed(), $empty->getAllResults(), $empty->retryAfter()], 'empty');
    // Operations can be added after a look; the limiter's time is what counts.
    $b = $l->createBatch()->localOp('a', 'x');
    $b->peek();
    same($b, $b->globalOp('b', ['x', 5]), 'fluent');
    $l->setCurrentTime(2000);
    same([0, 0], array_column($b->tryIncr()->getAllResults(), 'prevTotal'), 'later');
    foreach ([null, [], '', 0, false, 1.5] as $component) {
        $b = $l->createBatch()->localOp('a', $component);
        $b->incr();
    }
    same(2, $h->getCounters(['local:batch' . $strict . ':a::1000:a:'])['local:batch' . $strict . ':a::1000:a:'] - 1, 'null, an empty string and false are one');
}
echo "done\n";
--EXPECT--
done
