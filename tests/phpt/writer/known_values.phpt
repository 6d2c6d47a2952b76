--TEST--
counters get the keys, values and lifetimes of MediaWiki's WRStats
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['test' => seq(100, 1000), 'decimal' => seq(200, 2000, ['resolution' => 0.1])]);
$w->incr('test');
$w->incr('decimal', null, 1.33);
unset($w);
same('1', counter($h, 'local:WRStats:test::10'), 'test');
between(1070, 1100, raw()->ttl(k('') . 'local:WRStats:test::10'), 'its lifetime');
same('13', counter($h, 'local:WRStats:decimal::5'), 'decimal');
between(2170, 2200, raw()->ttl(k('') . 'local:WRStats:decimal::5'), 'its lifetime');
echo "done\n";
--EXPECT--
done
