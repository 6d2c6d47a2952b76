--TEST--
every method takes named arguments
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(config: 'memory:');
same(true, $w->incr(key: 'a', ttl: 60, init: 5), 'incr');
same(true, $w->decr(key: 'a', step: 1), 'decr');
same(true, $w->incrMulti(ttl: 60, steps: ['b' => 2]), 'incrMulti');
same(true, $w->sync(timeout: 0.5), 'sync');
same(6, $w->incrAndGet(step: 2, key: 'a'), 'incrAndGet');
same(5, $w->decrAndGet(key: 'a'), 'decrAndGet');
same('5', $w->get(getFlags: 0, key: 'a'), 'get');
same(['a' => '5'], $w->getMulti(keys: ['a']), 'getMulti');
same(['a' => 5], $w->getCounters(keys: ['a']), 'getCounters');
same(true, $w->set(value: 'v', key: 'c', background: false), 'set');
same(true, $w->setMulti(values: ['d' => 'v'], flags: 1), 'setMulti');
same(false, $w->add(key: 'c', value: 'w', flags: 1), 'add');
same(true, $w->replace(key: 'c', value: 'w', ttl: 5), 'replace');
same(null, $w->cas(cas: 1, key: 'missing', value: 'v'), 'cas');
same(true, $w->touch(ttl: 5, key: 'c'), 'touch');
same(true, $w->touchMulti(ttl: 5, keys: ['c', 'd']), 'touchMulti');
same(true, $w->delete(background: false, key: 'c'), 'delete');
same(true, $w->deleteMulti(keys: ['d']), 'deleteMulti');
same(true, is_string($w->serverFor(key: 'a')), 'serverFor');
caught(fn() => $w->incr(name: 'a'));
caught(fn() => $w->incr('a', key: 'b'));
--EXPECT--
Error: Unknown named parameter $name
Error: Named parameter $key overwrites previous argument
