--TEST--
bad ranges, metrics and arguments are refused by name
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$r = $h->createReader(['m' => seq(100, 1000), 'fine' => seq(1e-6, 1000)]);
$range = $r->latest(10);
caught(fn() => new WRStats\TimeRange(5, 4));
caught(fn() => new WRStats\TimeRange(5, 4.5));
caught(fn() => new WRStats\TimeRange(NAN, 4));
caught(fn() => new WRStats\TimeRange(1, INF));
caught(fn() => new WRStats\TimeRange(1e15, 1e16));
caught(fn() => $r->timeRange(5, 4));
caught(fn() => $r->timeRange(-INF, 4));
caught(fn() => $r->latest(-1));
caught(fn() => $r->latest(NAN));
caught(fn() => $r->latest(1e15));
caught(fn() => $r->getRate('n', null, $range));
caught(fn() => $r->getRate('m', 5, $range));
caught(fn() => $r->getRate('m', [[]], $range));
caught(fn() => $r->getRate('m', null, [1, 2]));
caught(fn() => $r->getRate('fine', null, $r->latest(10)));
caught(fn() => $r->getRates(['m', 'n'], null, $range));
caught(fn() => $r->getRates(['m', 1.5], null, $range));
caught(fn() => $r->total([$r]));
caught(fn() => $r->perHour(['x' => 5]));
caught(fn() => (new ReflectionClass(WRStats\Rate::class))->newInstance());
caught(fn() => new WRStats\Reader());
$range = new WRStats\TimeRange(1, 2.5);
same([1, 2.5, 1.5], [$range->start, $range->end, $range->getDuration()], 'a range');
same(1, (new WRStats\TimeRange(1, 2))->getDuration(), 'int duration');
caught(function () use ($range) { $range->end = 7; });
echo json_encode($range), "\n";
--EXPECT--
ValueError: WRStats\TimeRange::__construct(): Argument #2 ($end) must be greater than or equal to argument #1 ($start), 4 given
ValueError: WRStats\TimeRange::__construct(): Argument #2 ($end) must be greater than or equal to argument #1 ($start), 4.5 given
ValueError: WRStats\TimeRange::__construct(): Argument #1 ($start) must be a number of UNIX seconds within 1e12 of 1970, NAN given
ValueError: WRStats\TimeRange::__construct(): Argument #2 ($end) must be a number of UNIX seconds within 1e12 of 1970, INF given
ValueError: WRStats\TimeRange::__construct(): Argument #1 ($start) must be a number of UNIX seconds within 1e12 of 1970, 1000000000000000 given
ValueError: WRStats\Reader::timeRange(): Argument #2 ($end) must be greater than or equal to argument #1 ($start), 4 given
ValueError: WRStats\Reader::timeRange(): Argument #1 ($start) must be a number of UNIX seconds within 1e12 of 1970, -INF given
ValueError: WRStats\Reader::latest(): Argument #1 ($seconds) must be greater than or equal to 0, -1 given
ValueError: WRStats\Reader::latest(): Argument #1 ($seconds) must be a number of seconds that reaches back to a time, NAN given
ValueError: WRStats\Reader::latest(): Argument #1 ($seconds) must be a number of seconds that reaches back to a time, 1000000000000000 given
ValueError: WRStats\Reader::getRate(): Argument #1 ($metric) must be one of the metrics in the specs, "n" given
TypeError: WRStats\Reader::getRate(): Argument #2 ($entity) must be of type object|array|null, int given
TypeError: WRStats\Reader::getRate(): Argument #2 ($entity) must have components that are scalars, [0] is array
TypeError: WRStats\Reader::getRate(): Argument #3 ($range) must be of type WRStats\TimeRange, array given
ValueError: WRStats\Reader::getRate(): Argument #3 ($range) must not cover more than 1048576 buckets of the sequence that answers it, 10000001 given
ValueError: WRStats\Reader::getRates(): Argument #1 ($metrics) must be one of the metrics in the specs, "n" given
TypeError: WRStats\Reader::getRates(): Argument #1 ($metrics) must hold strings, float given
TypeError: WRStats\Reader::total(): Argument #1 ($rates) must hold WRStats\Rate objects, [0] is WRStats\Reader
TypeError: WRStats\Reader::perHour(): Argument #1 ($rates) must hold WRStats\Rate objects, ["x"] is int
Error: WRStats\Rate cannot be constructed directly, use WRStats\Reader::getRate() instead
Error: WRStats\Reader cannot be constructed directly, use WRStats::createReader() instead
Error: Cannot modify readonly property WRStats\TimeRange::$end
{"start":1,"end":2.5}
