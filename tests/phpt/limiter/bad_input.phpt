--TEST--
bad conditions, options, amounts and components are refused by name
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
foreach ([
    ['c' => 5], ['c' => null], ['c' => []], ['c' => ['limit' => 5]], ['c' => ['window' => 5]], ['c' => new stdClass], ['c' => (object)['limit' => 5]],
    ['c' => ['limit' => -1, 'window' => 5]], ['c' => ['limit' => 1.5, 'window' => 5]], ['c' => ['limit' => '5', 'window' => 5]],
    ['c' => ['limit' => 1, 'window' => 0]], ['c' => ['limit' => 1, 'window' => -5]], ['c' => ['limit' => 1, 'window' => NAN]],
    ['c' => ['limit' => 1, 'window' => INF]], ['c' => ['limit' => 1, 'window' => 1e-6]], ['c' => ['limit' => 1, 'window' => 5, 'per' => 1]],
    [3 => ['limit' => 1, 'window' => '5']],
] as $conditions) {
    caught(fn() => $h->createRateLimiter($conditions));
}
$good = ['c' => ['limit' => 1, 'window' => 5], 'd' => ['limit' => 1, 'window' => 5]];
foreach ([['bucketCount' => 0], ['bucketCount' => 10001], ['bucketCount' => '30'], ['strict' => 1], ['buckets' => 5], [5]] as $options) {
    caught(fn() => $h->createRateLimiter($good, 'l', $options));
}
caught(fn() => $h->createRateLimiter($good, []));
caught(fn() => $h->createRateLimiter(['c' => new class { public $window = 5; public function __get($name) { throw new DomainException('mine'); } }]));
$l = $h->createRateLimiter($good);
foreach (['peek', 'tryIncr', 'incr'] as $method) {
    caught(fn() => $l->$method('x'));
    caught(fn() => $l->$method('c', 'entity'));
    caught(fn() => $l->$method('c', [[]]));
    caught(fn() => $l->$method('c', null, -1));
}
caught(fn() => $l->createBatch(-1));
$batch = $l->createBatch();
caught(fn() => $batch->localOp('x'));
caught(fn() => $batch->localOp('c', [new stdClass]));
caught(fn() => $batch->globalOp('c', new stdClass));
caught(fn() => $batch->globalOp('c', [], -5));
$batch->localOp('c', 1)->globalOp('d', 1);
caught(fn() => $batch->localOp('c', 2));
caught(fn() => $batch->globalOp('d'));
same(['c', 'd'], array_keys($batch->tryIncr()->getAllResults()), 'the batch is none the worse');
caught(function () use ($l) { $l->peek('c')->limit = 9; });
caught(fn() => new WRStats\LimitResult());
--EXPECT--
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must be an array with limit and window, 5 given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must be an array with limit and window, null given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a limit
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a window
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a limit
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a limit
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a window
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["limit"] must be an int, 0 or more, -1 given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["limit"] must be an int, 0 or more, 1.5 given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["limit"] must be an int, 0 or more, "5" given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["window"] must be a finite number of seconds above 0, 0 given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["window"] must be a finite number of seconds above 0, -5 given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["window"] must be a finite number of seconds above 0, NAN given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["window"] must be a finite number of seconds above 0, INF given
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"] must have a time step of at least 0.000001 seconds
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) ["c"]["per"] must not be there: "per" is none of limit, window
ValueError: WRStats::createRateLimiter(): Argument #1 ($conditions) [3]["window"] must be a finite number of seconds above 0, "5" given
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) ["bucketCount"] must be an int from 1 to 10000, 0 given
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) ["bucketCount"] must be an int from 1 to 10000, 10001 given
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) ["bucketCount"] must be an int from 1 to 10000, "30" given
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) ["strict"] must be true or false, 1 given
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) ["buckets"] must not be there: "buckets" is none of bucketCount, strict
ValueError: WRStats::createRateLimiter(): Argument #3 ($options) [0] must not be there: "0" is none of bucketCount, strict
ValueError: WRStats::createRateLimiter(): Argument #2 ($prefix) must have at least one component
DomainException: mine
ValueError: WRStats\RateLimiter::peek(): Argument #1 ($condition) must be one of the rate limiter's conditions, "x" given
TypeError: WRStats\RateLimiter::peek(): Argument #2 ($entity) must be of type object|array|null, string given
TypeError: WRStats\RateLimiter::peek(): Argument #2 ($entity) must have components that are scalars, [0] is array
ValueError: WRStats\RateLimiter::peek(): Argument #3 ($amount) must be greater than or equal to 0, -1 given
ValueError: WRStats\RateLimiter::tryIncr(): Argument #1 ($condition) must be one of the rate limiter's conditions, "x" given
TypeError: WRStats\RateLimiter::tryIncr(): Argument #2 ($entity) must be of type object|array|null, string given
TypeError: WRStats\RateLimiter::tryIncr(): Argument #2 ($entity) must have components that are scalars, [0] is array
ValueError: WRStats\RateLimiter::tryIncr(): Argument #3 ($amount) must be greater than or equal to 0, -1 given
ValueError: WRStats\RateLimiter::incr(): Argument #1 ($condition) must be one of the rate limiter's conditions, "x" given
TypeError: WRStats\RateLimiter::incr(): Argument #2 ($entity) must be of type object|array|null, string given
TypeError: WRStats\RateLimiter::incr(): Argument #2 ($entity) must have components that are scalars, [0] is array
ValueError: WRStats\RateLimiter::incr(): Argument #3 ($amount) must be greater than or equal to 0, -1 given
ValueError: WRStats\RateLimiter::createBatch(): Argument #1 ($defaultAmount) must be greater than or equal to 0, -1 given
ValueError: WRStats\LimitBatch::localOp(): Argument #1 ($condition) must be one of the rate limiter's conditions, "x" given
TypeError: WRStats\LimitBatch::localOp(): Argument #2 ($components) must have components that are scalars, [0] is stdClass
TypeError: WRStats\LimitBatch::globalOp(): Argument #2 ($components) must have components that are scalars, [0] is stdClass
ValueError: WRStats\LimitBatch::globalOp(): Argument #3 ($amount) must be greater than or equal to 0, -5 given
ValueError: WRStats\LimitBatch::localOp(): Argument #1 ($condition) must not be in the batch already, as "c" is: results are indexed by condition
ValueError: WRStats\LimitBatch::globalOp(): Argument #1 ($condition) must not be in the batch already, as "d" is: results are indexed by condition
Error: Cannot modify readonly property WRStats\LimitResult::$limit
Error: WRStats\LimitResult cannot be constructed directly, use WRStats\RateLimiter::peek() instead
