--TEST--
opcache.preload works with code that uses the class
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$file = tempnam(sys_get_temp_dir(), 'wrstats');
file_put_contents($file, '<?php class Hits { public function __construct(private ?WRStats $w = null) {} public function hit(string $key): int { return $this->w->incrAndGet($key); } }');
$opcache = PHP_EXTENSION_DIR . '/opcache.so';
[$status, $output] = run(
    'echo (new Hits(client()))->hit(k());',
    (file_exists($opcache) ? "-d zend_extension=$opcache" : '')
        . " -d opcache.enable_cli=1 -d opcache.preload_user=root -d opcache.preload=$file",
);
unlink($file);
echo $output, ' ', $status, "\n";
--EXPECT--
1 0
