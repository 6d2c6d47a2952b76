--TEST--
GET_EXTENDED answers value, flags and cas
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k(), 'v', 60, 4294967295);
$item = $w->get(k(), WRStats::GET_EXTENDED);
same(['value', 'flags', 'cas'], array_keys($item), 'keys');
same(['v', 4294967295], [$item['value'], $item['flags']], 'value and flags');
same(raw()->item(k())['cas'], $item['cas'], 'cas');
same(null, $w->get(k('missing'), WRStats::GET_EXTENDED), 'missing');
$multi = $w->getMulti([k(), k('missing')], WRStats::GET_EXTENDED);
same([k() => $item], $multi, 'getMulti');
echo "done\n";
--EXPECT--
done
