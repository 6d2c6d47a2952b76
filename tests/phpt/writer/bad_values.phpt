--TEST--
bad metrics, values and entities are refused by name, and count nothing
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000), 'fine' => seq(100, 1000, ['resolution' => 1e-3])]);
caught(fn() => $w->incr('n'));
caught(fn() => $w->incr("bad\n" . str_repeat('x', 200)));
caught(fn() => $w->incr('m', null, -1));
caught(fn() => $w->incr('m', null, -0.1));
caught(fn() => $w->incr('m', null, NAN));
caught(fn() => $w->incr('m', null, INF));
caught(fn() => $w->incr('m', null, 1e19));
caught(fn() => $w->incr('fine', null, PHP_INT_MAX));
caught(fn() => $w->incr('m', null, 'many'));
caught(fn() => $w->incr('m', 'entity'));
caught(fn() => $w->incr('m', [['nested']]));
caught(fn() => $w->incr('m', ['a' => STDIN]));
caught(fn() => $w->incr('m', [new stdClass]));
caught(fn() => $w->incr('m', new stdClass));
caught(fn() => $w->incr('m', new class { function getComponents() { return 'a'; } function isGlobal() { return false; } }));
caught(fn() => $w->incr('m', new class { function getComponents() { return ['a']; } function isGlobal() { return 1; } }));
caught(fn() => $w->incr('m', new class { function getComponents() { throw new DomainException('mine'); } function isGlobal() { return false; } }));
caught(fn() => $w->incr());
$w->incr('fine', null, 9e15);
$w->flush();
same(['queued' => 1], array_intersect_key($h->metrics(), ['queued' => 0]), 'queued');
same(9 * 10 ** 18, $h->getCounters(['local:WRStats:fine::10'])['local:WRStats:fine::10'], 'the good one');
--EXPECT--
ValueError: WRStats\Writer::incr(): Argument #1 ($metric) must be one of the metrics in the specs, "n" given
ValueError: WRStats\Writer::incr(): Argument #1 ($metric) must be one of the metrics in the specs, "bad\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, -1 given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, -0.1 given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, NAN given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, INF given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, 10000000000000000000 given
ValueError: WRStats\Writer::incr(): Argument #3 ($value) must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, 9223372036854775807 given
TypeError: WRStats\Writer::incr(): Argument #3 ($value) must be of type int|float, string given
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must be of type object|array|null, string given
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must have components that are scalars, [0] is array
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must have components that are scalars, ["a"] is resource
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must have components that are scalars, [0] is stdClass
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must be an array of scalars, a WRStats\EntityKey, or an object with getComponents(): array and isGlobal(): bool, stdClass given
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must be an array of scalars, a WRStats\EntityKey, or an object with getComponents(): array and isGlobal(): bool, class@anonymous::getComponents() returned string
TypeError: WRStats\Writer::incr(): Argument #2 ($entity) must be an array of scalars, a WRStats\EntityKey, or an object with getComponents(): array and isGlobal(): bool, class@anonymous::isGlobal() returned int
DomainException: mine
ArgumentCountError: WRStats\Writer::incr() expects at least 1 argument, 0 given
