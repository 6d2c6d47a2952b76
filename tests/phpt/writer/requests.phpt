--TEST--
writers of one request leave nothing to the next, whatever ended it
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$web = web('
    require_once ' . var_export(__DIR__ . '/../inc/stats.inc', true) . ';
    $h = stats();
    $h->setCurrentTime(1000);
    $w = $h->createWriter(["m" => seq(100, 1000)]);
    $w->incr("m");
    $cyclic = new stdClass;
    $cyclic->self = [$cyclic, $w];
    match ($_GET["do"]) {
        "nothing" => 0,
        "fatal" => no_such_function(),
        "memory" => ini_set("memory_limit", "8M") && str_repeat("x", 1 << 30),
        "exit" => exit(3),
        "many" => array_map(fn($i) => $h->createWriter(["m" => seq(100, 1000)])->incr("m", [$i]), range(1, 300)),
        "pid" => print(getmypid()),
        "count" => print($h->get("local:WRStats:m::10")),
    };
');
$pid = $web->get('do=pid');
$n = 2;
foreach (['nothing', 'fatal', 'memory', 'exit', 'many', 'fatal', 'nothing'] as $do) {
    $web->get("do=$do");
    // The answer is there before the request has ended. What this request gathers it does not see.
    same((string)$n, $web->get('do=count'), $do);
    $n += 2;
}
same('1', raw()->get(k('') . 'local:WRStats:m::10:300'), 'many');
same($pid, $web->get('do=pid'), 'one process');
echo "done\n";
--EXPECT--
done
