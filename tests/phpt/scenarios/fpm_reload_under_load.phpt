--TEST--
a graceful reload under load loses neither an answer nor a count; one that kills counts nothing twice
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

// With time to end; and by default FPM kills its workers at once, requests and all.
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
    if ($global === '') {
        check_killed($server, $answered);
    } else {
        same(2000, count(array_filter($answered, is_numeric(...))), 'answers');
        check_load($server, $answered, 'FPM: reloads under load');
    }
}
echo "done\n";
--EXPECT--
done
