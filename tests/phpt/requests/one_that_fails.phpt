--TEST--
a request that ends badly loses nothing and disturbs none of the next
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$web = web('
    $w = client();
    $w->incr(k());
    match ($_GET["do"]) {
        "throw" => throw new Exception("x"),
        "fatal" => no_such_function(),
        "memory" => ini_set("memory_limit", "8M") && str_repeat("x", 1 << 30),
        "exit" => exit(3),
        "half read" => $w->getMulti([k(), k("big")]),
        "count" => print($w->get(k())),
    };
');
raw()->set(k('big'), str_repeat('b', 500_000));
$n = 0;
foreach (['throw', 'fatal', 'memory', 'exit', 'half read'] as $do) {
    $web->get('do=' . urlencode($do));
    same((string)($n += 2), $web->get('do=count'), "after $do");
}
echo "done\n";
--EXPECT--
done
