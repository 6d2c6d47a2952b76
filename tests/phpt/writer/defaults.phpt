--TEST--
what specs leave out: one sequence without a name, 600 s a bucket, kept for 3600 s, whole numbers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(6000.5);
foreach (['empty' => [], 'nulls' => ['type' => null, 'resolution' => null, 'sequences' => null], 'counter' => ['type' => 'counter'],
    'one' => ['sequences' => [[]]], 'none' => ['sequences' => []]] as $name => $spec) {
    $h->createWriter([$name => $spec])->incr($name, value: 2.5);
    same('3', counter($h, "local:WRStats:$name::10"), $name);
    between(4170, 4200, raw()->ttl(k('') . "local:WRStats:$name::10"), "$name: lifetime");
}
echo "done\n";
--EXPECT--
done
