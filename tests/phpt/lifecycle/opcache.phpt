--TEST--
with opcache on, interned strings stay as they are
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$opcache = PHP_EXTENSION_DIR . '/opcache.so';
[$status, $output] = run('
    function probe() { return ["test" => 1, "user" => 2, "edit" => 3, "" => 4]; }
    $before = probe();
    $w = client(["prefix" => k("")]);
    for ($i = 0; $i < 20000; $i++) {
        $w->incr("test");
        $w->incrMulti(["user" => 1, "edit" => 2]);
        if ($i % 100 === 0) {
            $w->set("user:v", "test");
            $w->getMulti(["test", "user", "edit", "user:v"]);
        }
    }
    var_dump(function_exists("opcache_get_status") && opcache_get_status()["opcache_enabled"]);
    var_dump(probe() == $before, probe() <=> $before, isset(probe()["test"]), $w->getCounters(["test", "user", "edit"]));
', (file_exists($opcache) ? "-d zend_extension=$opcache" : '') . ' -d opcache.enable_cli=1');
echo $output, "\n", $status, "\n";
--EXPECT--
bool(true)
bool(true)
int(0)
bool(true)
array(3) {
  ["test"]=>
  int(20000)
  ["user"]=>
  int(20000)
  ["edit"]=>
  int(40000)
}
0
