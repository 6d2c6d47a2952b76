--TEST--
workers that end after a few requests lose nothing
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$fpm = fpm('$w = client(); for ($i = 0; $i < 100; $i++) $w->incr(k("n$i")); echo "fine";', 2, 'pm.max_requests = 3');
$answered = 0;
for ($i = 0; $i < 40; $i++) {
    $answered += $fpm->get() === 'fine' ? 1 : 0;
}
same(40, $answered, 'answers');
for ($tries = 0; $tries < 200 && raw()->get(k('n99')) !== '40'; $tries++) {
    usleep(5_000);
}
same(['40', '40'], [raw()->get(k('n0')), raw()->get(k('n99'))], 'counted');
echo "done\n";
--EXPECT--
done
