--TEST--
what is queued goes out however the request ends
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$ends = [
    'normal' => '',
    'exit' => 'exit(3);',
    'exit in a function' => 'function f() { exit(3); } f();',
    'uncaught exception' => 'throw new Exception("x");',
    'undefined function' => 'no_such_function();',
    'fatal error' => 'trigger_error("x", E_USER_ERROR);',
    'memory limit' => 'ini_set("memory_limit", "8M"); $s = str_repeat("x", 1 << 30);',
    'shutdown function' => 'register_shutdown_function(function () { client()->incr(k("late")); });',
    'destructor' => 'class D { function __destruct() { client()->incr(k("late")); } } $GLOBALS["d"] = new D;',
    'output callback' => 'ob_start(function ($b) { client()->incr(k("late")); return $b; }); echo "x";',
];
$n = 0;
foreach ($ends as $what => $end) {
    [, $output] = run('$w = client(); $w->incr(k()); ' . $end);
    same((string)++$n, raw()->get(k()), "$what ($output)");
}
same('3', raw()->get(k('late')), 'queued while the request ended');
echo "done\n";
--EXPECT--
done
