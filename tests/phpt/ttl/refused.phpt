--TEST--
a TTL that is negative or a time is refused, saying so
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
foreach ([-1, PHP_INT_MIN, 2147483648, time() + 60, PHP_INT_MAX] as $ttl) {
    caught(fn() => $w->incr('k', 1, $ttl));
}
caught(fn() => $w->incrAndGet('k', 1, -1));
caught(fn() => $w->incrMulti(['k' => 1], -1));
caught(fn() => $w->set('k', 'v', -1));
caught(fn() => $w->setMulti(['k' => 'v'], -1));
caught(fn() => $w->add('k', 'v', -1));
caught(fn() => $w->replace('k', 'v', -1));
caught(fn() => $w->cas(1, 'k', 'v', -1));
caught(fn() => $w->touch('k', -1));
caught(fn() => $w->touchMulti(['k'], -1));
--EXPECTF--
ValueError: WRStats::incr(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incr(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incr(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incr(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incr(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incrAndGet(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::incrMulti(): Argument #2 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::set(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::setMulti(): Argument #2 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::add(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::replace(): Argument #3 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::cas(): Argument #4 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::touch(): Argument #2 ($ttl) %Sa duration, not a time%S
ValueError: WRStats::touchMulti(): Argument #2 ($ttl) %Sa duration, not a time%S
