--TEST--
a bad value in an ini file is told with file, line, setting and what is accepted; the default stays
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$folder = sys_get_temp_dir() . '/wrstats-' . bin2hex(random_bytes(6));
mkdir($folder);
file_put_contents("$folder/wrstats.ini", "; ours\nwrstats.protocol = meta\nwrstats.timeout = \"0\"\n  wrstats.timeout = abc ; seconds\n");
file_put_contents("$folder/script.php", '<?php echo ini_get("wrstats.timeout"), " ", ini_get("wrstats.protocol"), " ", ini_get("wrstats.retry_interval");');
// Not -n: then no file is read. "-c /dev/null" leaves the machine's own php.ini out.
$php = getenv('TEST_PHP_EXECUTABLE') . ' -c /dev/null ' . preg_replace('/(^| )-n( |$)/', ' ', getenv('TEST_PHP_EXTRA_ARGS'));
exec("PHP_INI_SCAN_DIR=$folder $php -d display_startup_errors=1 -d html_errors=0 -d wrstats.retry_interval=soon $folder/script.php 2>/dev/null", $lines);
echo str_replace($folder, 'FOLDER', implode("\n", array_filter($lines))), "\n";
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
--EXPECT--
Warning: PHP Startup: wrstats.timeout must be a number of seconds from 0.001 to 60, "abc" given in FOLDER/wrstats.ini on line 4 in Unknown on line 0
Warning: PHP Startup: wrstats.retry_interval must be a number of seconds from 0.001 to 3600, "soon" given in Unknown on line 0
0.5 meta 1.0
