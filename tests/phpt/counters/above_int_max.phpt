--TEST--
a value above PHP_INT_MAX is an error, never negative
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
raw()->set(k(), '9223372036854775807');
try {
    $answer = $w->incrAndGet(k());
    echo "answered $answer\n";
} catch (WRStats\ServerException $e) {
    same(WRStats::ERROR_UNEXPECTED, $e->getCode(), 'code');
}
same('9223372036854775808', raw()->get(k()), 'it was counted');
same('9223372036854775808', $w->get(k()), 'get gives the digits');
same([], $w->getCounters([k()]), 'getCounters leaves it out');
raw()->set(k('wraps'), '18446744073709551615');
same(0, $w->incrAndGet(k('wraps')), 'the server wraps at 2^64');
$w->incr(k('sum'), PHP_INT_MAX);
$w->incr(k('sum'), PHP_INT_MAX);
$w->incr(k('sum'), 1);
same(true, $w->sync(), 'sync');
same('18446744073709551615', raw()->get(k('sum')), 'sum of queued steps');
$w->incr(k('over'), PHP_INT_MAX);
$w->incr(k('over'), PHP_INT_MAX);
$w->incr(k('over'), PHP_INT_MAX);
$w->sync();
// The server writes a shorter number in place, padded.
same('9223372036854775805 ', raw()->get(k('over')), 'merging never passes 2^64-1');
echo "done\n";
--EXPECT--
done
