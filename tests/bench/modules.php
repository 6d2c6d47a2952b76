<?php

/** Which versions the peers are of, as JSON, for the report. usage: bench.sh modules */

$versions = [];
foreach (['memcached' => 'PECL memcached', 'apcu' => 'apcu', 'redis' => 'phpredis'] as $module => $name) {
    if (extension_loaded($module)) {
        $versions[$name] = phpversion($module);
    }
}
if (extension_loaded('memcached')) {
    ob_start();
    (new ReflectionExtension('memcached'))->info();
    if (preg_match('/libmemcached library version => (\S+)/', ob_get_clean(), $found)) {
        $versions['libmemcached'] = $found[1];
    }
}
if (preg_match("/'MW_VERSION', '([^']+)'/", (string)@file_get_contents(getenv('MEDIAWIKI_DIR') . '/includes/Defines.php'), $found)) {
    $versions['MediaWiki'] = $found[1];
}
$lock = (string)file_get_contents(__DIR__ . '/../../Cargo.lock');
if (preg_match('/name = "memcache"\nversion = "([^"]+)"/', $lock, $found)) {
    $versions['crate memcache'] = $found[1];
}
echo json_encode($versions), "\n";
