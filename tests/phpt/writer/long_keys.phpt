--TEST--
over-long keys are shortened as MediaWiki does, by either rule
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$a = str_repeat('a', 100);
$b = str_repeat('b', 120);
foreach ([
    'mediawiki-1.39' => "local:$a:#c8eb298682a7890e3136465d34d5ec25:z:5",
    'mediawiki-1.45' => "local:$a:#" . hash('sha256', "local:$a:$b:z:5"),
] as $rule => $key) {
    // No prefix: there is just room for keys of this length.
    $h = client(['long_keys' => $rule]);
    $h->setCurrentTime(500);
    $h->delete($key);
    $w = $h->createWriter([$b => ['sequences' => [['name' => 'z', 'timeStep' => 100, 'expiry' => 60]]]], $a);
    $w->incr($b, null, 7);
    $w->flush();
    same(true, $h->sync(), 'sync');
    same('7', raw()->get($key), $rule);
    $r = $h->createReader([$b => ['sequences' => [['name' => 'z', 'timeStep' => 100, 'expiry' => 60]]]], $a);
    $r->setCurrentTime(550);
    same(7, $r->getRate($b, null, $r->timeRange(500, 550))->total(), "$rule, read");
    $h->delete($key);
}
// Long entities.
$h = stats();
$h->setCurrentTime(500);
$w = $h->createWriter(['m' => seq(100, 60)]);
$parts = [str_repeat('é', 100), str_repeat('x', 300)];
$w->incr('m', $parts, 3);
$w->flush();
$plain = 'local:WRStats:m::5:' . rawurlencode($parts[0]) . ":$parts[1]";
same('3', counter($h, 'local:WRStats:#' . hash('sha256', $plain)), 'entity');
echo "done\n";
--EXPECT--
done
