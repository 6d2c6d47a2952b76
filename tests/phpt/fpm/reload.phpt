--TEST--
a reload under load loses no request's counts
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

// Without time to finish FPM kills its workers, and memcached drops what it has not read yet.
$fpm = fpm('$w = client(); $w->incr(k()); echo "fine";', 2, global: 'process_control_timeout = 10');
$answered = 0;
for ($i = 0; $i < 300; $i++) {
    if ($i % 60 === 30) {
        $fpm->reload();
    }
    $answered += $fpm->get() === 'fine' ? 1 : 0;
    usleep(3_000);
}
between(200, 300, $answered, 'answers');
for ($tries = 0; $tries < 200 && (int)raw()->get(k()) < $answered; $tries++) {
    usleep(5_000);
}
// A request may be counted whose answer the reload cut off, never the other way round.
between($answered, 300, (int)raw()->get(k()), 'counted');
echo "done\n";
--EXPECT--
done
