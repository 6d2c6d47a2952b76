--TEST--
an FPM that is told to quit (SIGQUIT) under load counts every answered request
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

for ($round = 0; $round < 3; $round++) {
    $server = Server::tcp();
    $fpm = load_fpm($server, 4, '', 'process_control_timeout = 10');
    $quit = false;
    $answered = load($fpm, 4, 300, function () use ($fpm, &$quit) {
        usleep(150_000);
        $quit || $fpm->quit();
        $quit = true;
    });
    between(10, 1199, count(array_filter($answered, is_numeric(...))), 'answers');
    check_load($server, $answered, 'FPM: SIGQUIT under load');
}
echo "done\n";
--EXPECT--
done
