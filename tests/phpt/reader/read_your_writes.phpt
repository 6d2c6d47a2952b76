--TEST--
a reader sees what this process's writers handed over before
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
for ($i = 1; $i <= 50; $i++) {
    $w = $h->createWriter($specs);
    $w->incr('m', null, 2);
    $w->flush();
    $r = $h->createReader($specs);
    $r->setCurrentTime(1001);
    same(2 * $i, $r->getRate('m', null, $r->latest(1))->total(), "read $i");
}
echo "done\n";
--EXPECT--
done
