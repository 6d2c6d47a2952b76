--TEST--
a PHP store is asked with MediaWiki's four methods and arguments
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

class AskedStore extends RecordingStore
{
    public array $entities = [];

    public function makeKey($prefix, $internals, $entity)
    {
        $this->entities[] = $entity;
        same(true, array_is_list($prefix) && array_is_list($internals) && is_int($internals[2]), 'arrays of makeKey()');

        return parent::makeKey($prefix, $internals, $entity);
    }
}
$store = new AskedStore;
$h = WRStats::onStore($store);
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000), 'two' => ['sequences' => [['timeStep' => 100, 'expiry' => 1000], ['name' => 'x', 'timeStep' => 50, 'expiry' => 60]]]];
$w = $h->createWriter($specs, ['p', 'q r']);
$key = new ForeignKey(['a:b', 7]);
$w->incr('m', $key, 2);
$w->incr('m', $key, 3);
$w->incr('m', ['a:b', '7'], 4);
$w->incr('two', null, 5);
same([], $store->calls, 'nothing before flush()');
$w->flush();
// One increment for each lifetime, in whichever order; keys as the store makes them.
sort($store->calls);
same([
    'incr {"local:p:q r:m::10:a:b:7":9,"local:p:q r:two::10":5} for 1100',
    'incr {"local:p:q r:two:x:20":5} for 110',
    'makeKey local:p:q r:m::10:a:b:7',
    'makeKey local:p:q r:two::10',
    'makeKey local:p:q r:two:x:20',
], $store->calls, 'flush()');
same(true, in_array($key, $store->entities, true), 'the very object');
$store->calls = $store->entities = [];
$r = $h->createReader($specs, ['p', 'q r']);
$rate = $r->getRate('m', $key, $r->latest(100));
same([], $store->calls, 'nothing before fetch()');
same(9, $rate->total(), 'total');
same(['makeKey local:p:q r:m::9:a:b:7', 'makeKey local:p:q r:m::10:a:b:7', 'query ["local:p:q r:m::9:a:b:7","local:p:q r:m::10:a:b:7"]'],
    $store->calls, 'fetch()');
same([$key, $key], $store->entities, 'the very object');
$store->calls = [];
$w->resetAll([$key]);
$deletes = array_values(preg_grep('/^delete/', $store->calls));
same(1, count($deletes), 'one deletion');
same(14 + 14 + 6, count(json_decode(substr($deletes[0], 7))), 'buckets deleted');
ksort($store->counters);
same(['local:p:q r:two::10' => 5, 'local:p:q r:two:x:20' => 5], $store->counters, 'what is left');
$store->calls = [];
$l = $h->createRateLimiter(['c' => ['limit' => 2, 'window' => 60]], 'l', ['bucketCount' => 2]);
same([true, 0, 1], [($result = $l->tryIncr('c', $key))->isAllowed(), $result->prevTotal, $result->newTotal], 'tryIncr()');
same(['query ["local:l:c::31:a:b:7","local:l:c::32:a:b:7","local:l:c::33:a:b:7","local:l:c::34:a:b:7"]'],
    array_values(preg_grep('/^query/', $store->calls)), 'one query');
same('incr {"local:l:c::33:a:b:7":1} for 90', end($store->calls), 'one increment');
$store->calls = [];
$l->createBatch()->globalOp('c', 'x', 2)->tryIncr();
same('incr {"global:l:c::33:c:x":2} for 90', end($store->calls), 'a batch');
echo "done\n";
--EXPECT--
done
