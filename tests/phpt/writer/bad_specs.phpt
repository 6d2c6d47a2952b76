--TEST--
malformed specs are refused, with the path of the bad entry
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
foreach ([
    ['m' => 5],
    ['m' => new stdClass],
    ['m' => ['resolution' => 0]],
    ['m' => ['resolution' => -0.5]],
    ['m' => ['resolution' => NAN]],
    ['m' => ['resolution' => '1']],
    ['m' => ['type' => 'gauge']],
    ['m' => ['timeStep' => 60]],
    ['m' => ['expiry' => 60]],
    ['m' => ['sequences' => 60]],
    ['m' => ['sequences' => [[], 60]]],
    [7 => ['sequences' => ['x' => ['timeStep' => 0]]]],
    ['m' => ['sequences' => [['timeStep' => -1]]]],
    ['m' => ['sequences' => [['timeStep' => 1e-9]]]],
    ['m' => ['sequences' => [['expiry' => 0]]]],
    ['m' => ['sequences' => [['expiry' => INF]]]],
    ['m' => ['sequences' => [['expiry' => 3e9]]]],
    ['m' => ['sequences' => [['name' => ['x']]]]],
    ['m' => ['sequences' => [['expire' => 60]]]],
    ['m' => ['resolutoin' => 1]],
    ["a\n\"" => ['resolution' => 0]],
] as $specs) {
    caught(fn() => $h->createWriter($specs));
}
caught(fn() => $h->createReader(['m' => ['resolution' => 0]]));
caught(fn() => $h->createWriter('m'));
caught(fn() => $h->createWriter([], []));
caught(fn() => $h->createReader([], ['a', ['b']]));
caught(fn() => $h->createReader([], ['a', null]));
caught(fn() => $h->createReader([], ['x' => new stdClass]));
--EXPECT--
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"] must be an array, 5 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"] must be an array, stdClass given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["resolution"] must be a finite int or float above 0, 0 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["resolution"] must be a finite int or float above 0, -0.5 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["resolution"] must be a finite int or float above 0, NAN given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["resolution"] must be a finite int or float above 0, "1" given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["type"] must be "counter"
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["timeStep"] must be given within "sequences", for each of them
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["expiry"] must be given within "sequences", for each of them
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"] must be an array of sequences, 60 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][1] must be an array, 60 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) [7]["sequences"]["x"]["timeStep"] must be a finite number of seconds above 0, 0 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0]["timeStep"] must be a finite number of seconds above 0, -1 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0] must have a time step of at least 0.000001 seconds
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0]["expiry"] must be a finite number of seconds above 0, 0 given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0]["expiry"] must be a finite number of seconds above 0, INF given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0] must expire within 2147483647 seconds, time step included
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0]["name"] must be a string, array given
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["sequences"][0]["expire"] must not be there: "expire" is none of name, timeStep, expiry
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["m"]["resolutoin"] must not be there: "resolutoin" is none of type, resolution, sequences
ValueError: WRStats::createWriter(): Argument #1 ($specs) ["a\n\""]["resolution"] must be a finite int or float above 0, 0 given
ValueError: WRStats::createReader(): Argument #1 ($specs) ["m"]["resolution"] must be a finite int or float above 0, 0 given
TypeError: WRStats::createWriter(): Argument #1 ($specs) must be of type array, string given
ValueError: WRStats::createWriter(): Argument #2 ($prefix) must have at least one component
TypeError: WRStats::createReader(): Argument #2 ($prefix) must have components that are strings, [1] is array
TypeError: WRStats::createReader(): Argument #2 ($prefix) must have components that are strings, [1] is null
TypeError: WRStats::createReader(): Argument #2 ($prefix) must have components that are strings, ["x"] is stdClass
