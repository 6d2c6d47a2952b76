--TEST--
a writer that has gathered very much hands it over by itself
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$memory = memory_get_usage();
for ($i = 0; $i < 100_000; $i++) {
    $w->incr('m', [$i]);
}
same(true, $h->metrics()['queued'] > 50_000, 'handed over on the way');
$w->flush();
same(true, $h->sync(5), 'sync');
same('1', raw()->get(k('') . 'local:WRStats:m::10:0'), 'first');
same('1', raw()->get(k('') . 'local:WRStats:m::10:99999'), 'last');
same(100_000, $h->metrics()['confirmed'], 'confirmed');
check_books($h, 'after');
echo "done\n";
--EXPECT--
done
