--TEST--
a name in an ini file that is none of the settings is told at startup, with file, line and the one that was meant
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$folder = sys_get_temp_dir() . '/wrstats-' . bin2hex(random_bytes(6));
mkdir($folder);
file_put_contents("$folder/wrstats.ini", "; wrstats.timeuot = 1\nwrstats.timeuot = 0.1\nwrstats.prefix = a:\nwrstats.retry_interval = 2\n");
// Not -n: then no file is read. "-c /dev/null" leaves the machine's own php.ini out.
$php = getenv('TEST_PHP_EXECUTABLE') . ' -c /dev/null ' . preg_replace('/(^| )-n( |$)/', ' ', getenv('TEST_PHP_EXTRA_ARGS'));
exec("PHP_INI_SCAN_DIR=$folder $php -d display_startup_errors=1 -d html_errors=0 -d wrstats.x_unlike_any=1"
    . " -r 'echo ini_get(\"wrstats.timeout\"), \" \", ini_get(\"wrstats.retry_interval\");' 2>/dev/null", $lines);
$lines = array_values(array_filter($lines));
echo end($lines), "\n";
sort($lines);
echo str_replace($folder, 'FOLDER', implode("\n", array_slice($lines, 1))), "\n";
unlink("$folder/wrstats.ini");
rmdir($folder);
--EXPECT--
0.5 2
Warning: PHP Startup: there is no setting wrstats.timeuot; did you mean wrstats.timeout? in FOLDER/wrstats.ini on line 2 in Unknown on line 0
Warning: PHP Startup: there is no setting wrstats.x_unlike_any; there are wrstats.servers, wrstats.persistent, wrstats.protocol, wrstats.noreply, wrstats.distribution, wrstats.connect_timeout, wrstats.timeout, wrstats.retry_interval, wrstats.buffer_bytes, wrstats.flush_interval, wrstats.shutdown_timeout in Unknown on line 0
Warning: PHP Startup: wrstats.prefix is no setting of php.ini: give it to new WRStats() in FOLDER/wrstats.ini on line 3 in Unknown on line 0
