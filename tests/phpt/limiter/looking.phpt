--TEST--
peek() and an amount of 0 only look
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
    $l = $h->createRateLimiter(['c' => ['limit' => 3, 'window' => 60]], "look$strict", ['strict' => $strict]);
    $l->incr('c', null, 3);
    $books = $h->metrics();
    same(false, $l->peek('c')->isAllowed(), 'peek, full');
    same(true, $l->peek('c', null, 0)->isAllowed(), 'peek of nothing, full');
    same(true, $l->tryIncr('c', null, 0)->isAllowed(), 'nothing, full');
    same(false, $l->tryIncr('c', null, 4)->isAllowed(), 'above the limit');
    same($books['calls'] + 0, $h->metrics()['calls'], 'nothing was written');
    same(3, $l->peek('c')->prevTotal, 'still three');
    $l->incr('c', null, 7);
    $result = $l->peek('c', null, 0);
    same([false, 10, 10, 0], [$result->isAllowed(), $result->prevTotal, $result->newTotal, $result->remaining()], 'beyond the limit');
    $l->setCurrentTime(1000 + 100 * 60);
    same(3, $l->peek('c')->remaining(), 'a hundred windows later');
}
echo "done\n";
--EXPECT--
done
