--TEST--
where prefix and route leave too little room, a key that is too long is refused when it is counted
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats(['servers' => ['memory:'], 'route' => '/region/cluster/', 'prefix' => str_repeat('p', 44)]);
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$room = 250 - 60;
$fits = str_repeat('x', $room - strlen('local:WRStats:m::10:'));
$w->incr('m', [$fits], 2);
$w->incr('m', [1], 3);
caught(fn() => $w->incr('m', [$fits . 'y']));
// Long enough to be shortened, and then it fits.
$w->incr('m', [str_repeat($fits, 2)], 5);
$w->flush();
same(3, $h->metrics()['queued'], 'queued');
$r = $h->createReader(['m' => seq(100, 1000)]);
$r->setCurrentTime(1010);
same([2, 5], $r->total([$r->getRate('m', [$fits], $r->latest(10)), $r->getRate('m', [str_repeat($fits, 2)], $r->latest(10))]), 'read');
caught(fn() => $r->getRate('m', [$fits . 'y'], $r->latest(10)));
same(3, $r->getRate('m', [1], $r->latest(10))->total(), 'the reader is none the worse');
$l = $h->createRateLimiter(['c' => ['limit' => 5, 'window' => 60]]);
foreach (['peek', 'tryIncr', 'incr'] as $method) {
    caught(fn() => $l->$method('c', [$fits . 'y']));
}
same(3, $h->metrics()['queued'], 'nothing more queued');
--EXPECTF--
ValueError: WRStats\Writer::incr(): Argument #2 ($entity) must not make keys longer than the 190 bytes that prefix and route leave of memcached's 250, "local:WRStats:m::10:xxx%s..." is
ValueError: WRStats\Reader::getRate(): Argument #2 ($entity) must not make keys longer than the 190 bytes that prefix and route leave of memcached's 250, "local:WRStats:m::10:xxx%s..." is
ValueError: the handle's prefix and route leave too little room for the key "local:WRStats:c::470:xxx%sy": %d bytes given after a route and prefix of 60
ValueError: the handle's prefix and route leave too little room for the key "local:WRStats:c::470:xxx%sy": %d bytes given after a route and prefix of 60
ValueError: the handle's prefix and route leave too little room for the key "local:WRStats:c::500:xxx%sy": %d bytes given after a route and prefix of 60
