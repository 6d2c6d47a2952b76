--TEST--
a reload under load loses no count of an answered request
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

use WRStats\Tests\Server;

require __DIR__ . '/../inc/setup.inc';
require __DIR__ . '/fpm_load.inc';

// Gracefully, and at once, which is what FPM does by default.
foreach (['process_control_timeout = 10', ''] as $global) {
    $server = Server::tcp();
    $fpm = load_fpm($server, 4, '', $global);
    $reloads = 0;
    $answered = load($fpm, 4, 500, function () use ($fpm, &$reloads) {
        usleep(100_000);
        if ($reloads < 20) {
            $fpm->reload();
            $reloads++;
        }
    });
    between(2, 20, $reloads, 'reloads');
    between(200, 2000, count(array_filter($answered)), 'answers');
    check_load($server, $answered);
}
echo "done\n";
--EXPECT--
done
