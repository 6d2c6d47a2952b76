--TEST--
background writes answer true and are seen by the next read
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
same(true, $w->set(k('set'), '1', background: true), 'set');
same(true, $w->add(k('add'), '2', background: true), 'add');
same(true, $w->add(k('set'), '3', background: true), 'add of an existing key');
same(true, $w->replace(k('set'), '4', background: true), 'replace');
same(true, $w->replace(k('missing'), '5', background: true), 'replace of a missing key');
same(true, $w->delete(k('missing'), background: true), 'delete of a missing key');
same(true, $w->touch(k('missing'), 60, background: true), 'touch of a missing key');
same(true, $w->touch(k('add'), 60, background: true), 'touch');
same(true, $w->setMulti([k('m') => '6'], background: true), 'setMulti');
same(true, $w->deleteMulti([k('missing')], background: true), 'deleteMulti');
same(true, $w->touchMulti([k('missing'), k('m')], 60, background: true), 'touchMulti');
same(true, $w->sync(), 'sync: no such key and the like are confirmed');
$keys = [k('set'), k('add'), k('m'), k('missing')];
same(['4', '2', '6'], array_values($w->getMulti($keys)), 'values');
between(58, 60, raw()->ttl(k('add')), 'touched');
between(58, 60, raw()->ttl(k('m')), 'touched by touchMulti');
$m = $w->metrics();
same([12, 12, 0, 0], [$m['queued'], $m['confirmed'], $m['failed'], $m['lost']], 'queued, confirmed, failed, lost');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
