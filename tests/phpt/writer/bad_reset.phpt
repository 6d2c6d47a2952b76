--TEST--
resetAll() names the entity that is none
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = new WRStats('memory:');
$w = $h->createWriter(['m' => seq(100, 1000)]);
foreach ([[5], ['x' => 'a'], [[], [[]]], [new stdClass]] as $bad) {
    try {
        $w->resetAll($bad);
        echo "taken\n";
    } catch (TypeError $e) {
        same(1, preg_match('/^WRStats\\\\Writer::resetAll\(\): Argument #1 \(\$entities\) must hold entities, \[(0|"x"|1)\] must /', $e->getMessage()), $e->getMessage());
    }
}
$w = $h->createWriter(['m' => seq(1e-6, 3600)]);
try {
    $w->resetAll();
    echo "taken\n";
} catch (ValueError $e) {
    same(1, preg_match('/must not cover more than \d+ buckets/', $e->getMessage()), $e->getMessage());
}
echo "done\n";
--EXPECT--
done
