--TEST--
requests that end badly count like others
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$fpm = fpm('
    $w = client();
    $w->incr(k());
    match ($_GET["do"]) {
        "throw" => throw new Exception("x"),
        "fatal" => no_such_function(),
        "memory" => ini_set("memory_limit", "8M") && str_repeat("x", 1 << 30),
        "exit" => exit(3),
        "count" => print($w->get(k())),
    };
');
$n = 0;
foreach (['throw', 'fatal', 'memory', 'exit'] as $do) {
    $fpm->get("do=$do");
    same((string)($n += 2), $fpm->get('do=count'), "after $do");
}
echo "done\n";
--EXPECT--
done
