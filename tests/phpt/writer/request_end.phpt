--TEST--
what a writer has gathered goes out however the request ends
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$ends = [
    'normal' => '',
    'exit' => 'exit(3);',
    'exit in a function' => 'function f($w) { $w->incr("m", null, 0); exit(3); } f($w);',
    'uncaught exception' => 'throw new Exception("x");',
    'undefined function' => 'no_such_function();',
    'fatal error' => 'trigger_error("x", E_USER_ERROR);',
    'memory limit' => 'ini_set("memory_limit", "8M"); $s = str_repeat("x", 1 << 30);',
    'a fatal error of the compiler' => 'eval("class A { function a() {} function a() {} }");',
    'time limit' => 'set_time_limit(1); while (true) { $x = 1; }',
    'handle gone first' => 'unset($h);',
    'shutdown function' => 'register_shutdown_function(fn() => $w->incr("m", ["late"]));',
    'static' => 'class S { static $w; } S::$w = $w; unset($w);',
];
$n = 0;
foreach ($ends as $what => $end) {
    [, $output] = run('require_once ' . var_export(__DIR__ . '/../inc/stats.inc', true) . '; $h = stats(); $h->setCurrentTime(1000);
        $w = $h->createWriter(["m" => seq(100, 1000)]); $w->incr("m"); $w->incr("m", [1]); ' . $end);
    $n++;
    same([(string)$n, (string)$n], [raw()->get(k('') . 'local:WRStats:m::10'), raw()->get(k('') . 'local:WRStats:m::10:1')], "$what ($output)");
}
same('1', raw()->get(k('') . 'local:WRStats:m::10:late'), 'in a shutdown function');
echo "done\n";
--EXPECT--
done
