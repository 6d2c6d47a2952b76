--TEST--
answers that are none are told
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$wrong = new class {
    public $key = 'k';
    public $values = [];
    public function makeKey($prefix, $internals, $entity) { return $this->key; }
    public function incr(array $values, $ttl) {}
    public function delete(array $keys) {}
    public function query(array $keys) { return $this->values; }
};
$h = WRStats::onStore($wrong);
$h->setCurrentTime(1000);
$total = function () use ($h) {
    $r = $h->createReader(['m' => seq(100, 1000)]);
    return $r->getRate('m', null, $r->timeRange(1000, 1000))->total();
};
$message = function (callable $call) {
    try {
        return $call();
    } catch (TypeError $e) {
        return preg_replace('/^.*?::/', '', $e->getMessage());
    }
};
foreach ([null, [], 1.5, new stdClass] as $key) {
    $wrong->key = $key;
    same('makeKey(): Return value must be of type string, ' . get_debug_type($key) . ' returned', $message($total), 'a key that is none');
}
$wrong->key = 12;
same(0, $message($total), 'an int for a key');
foreach ([null, 'x', 5, new ArrayObject] as $values) {
    $wrong->values = $values;
    same('query(): Return value must be of type array, ' . get_debug_type($values) . ' returned', $message($total), 'values that are none');
}
foreach ([['12' => []], ['12' => 'abc'], ['12' => NAN], ['12' => true]] as $values) {
    $wrong->values = $values;
    same('query(): Return value must be of type int[], ' . get_debug_type($values[12]) . ' returned', $message($total), 'a value that is none');
}
foreach ([[5, 5], ['5', 5], [' 5 ', 5], [5.0, 5], ['5.0', 5], [false, 0], [null, 0]] as [$value, $expected]) {
    foreach ([12, 'key'] as $key) {
        $wrong->key = $key;
        $r = $h->createReader(['m' => seq(100, 1000)]);
        $r->setCurrentTime(1100);
        $wrong->values = [$key => &$value];
        // Two buckets under one key.
        same($expected, $r->getRate('m', null, $r->timeRange(1000, 1099.999999))->total(), json_encode($value));
    }
}
foreach (['makeKey', 'incr', 'delete', 'query'] as $missing) {
    $methods = implode(' ', array_map(fn($m) => "public function $m() {}", array_diff(['makeKey', 'incr', 'delete', 'query'], [$missing])));
    $object = eval("return new class { $methods };");
    try {
        WRStats::onStore($object);
        echo "taken without $missing\n";
    } catch (ValueError $e) {
        same("WRStats::onStore(): Argument #1 (\$store) must have the methods makeKey, incr, delete and query, $missing is missing", $e->getMessage(), $missing);
    }
}
foreach (['incr' => ['k'], 'get' => ['k'], 'flush' => [], 'sync' => [], 'metrics' => [], 'servers' => [], 'lastError' => [], 'getMulti' => [[]],
    'set' => ['k', 'v'], 'serverFor' => ['k']] as $method => $arguments) {
    try {
        $h->$method(...$arguments);
        echo "$method works\n";
    } catch (LogicException) {
    }
}
echo "done\n";
--EXPECT--
done
