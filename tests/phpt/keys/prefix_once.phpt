--TEST--
the prefix is applied exactly once, by every method
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('p:')]);
$wire = k('p:k');
$holds = function (string $after, ?string $value) use ($wire) {
    same($value, raw()->get($wire), "$after: on the wire");
    same(null, raw()->get(k('p:') . $wire), "$after: prefixed twice");
    same(null, raw()->get('k'), "$after: not prefixed");
};
$w->set('k', '5');
$holds('set', '5');
$w->incr('k');
$w->decr('k', 2);
$w->sync();
$holds('incr, decr', '4');
same(6, $w->incrAndGet('k', 2), 'incrAndGet');
same(5, $w->decrAndGet('k'), 'decrAndGet');
same(['k' => '5'], $w->getMulti(['k']), 'getMulti');
same(['k' => 5], $w->getCounters(['k']), 'getCounters');
$w->touch('k', 100);
between(98, 100, raw()->ttl($wire), 'touch');
$w->replace('k', 'r');
$holds('replace', 'r');
$item = $w->get('k', WRStats::GET_EXTENDED);
same(true, $w->cas($item['cas'], 'k', 'c'), 'cas');
$holds('cas', 'c');
$w->delete('k');
$holds('delete', null);
$w->add('k', 'a');
$holds('add', 'a');
$w->deleteMulti(['k']);
$holds('deleteMulti', null);
$w->incrMulti(['k' => 7]);
$w->sync();
$holds('incrMulti', '7');
$w->setMulti(['k' => 'm']);
$holds('setMulti', 'm');
echo "done\n";
--EXPECT--
done
