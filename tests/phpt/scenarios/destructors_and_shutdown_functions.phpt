--TEST--
destructors, shutdown functions and handlers count, however the script ends
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

fatal_errors_follow();

$specs = '["hits" => ["sequences" => [["timeStep" => 3600, "expiry" => 7200]]]]';
$setup = '
    final class Counts
    {
        public ?Counts $self = null;
        public function __construct(private WRStats $w, private string $key, private ?WRStats\Writer $writer = null) {}
        public function __destruct() { $this->w->incr(k($this->key)); $this->writer?->incr("hits"); }
    }
    final class Keeps { public static array $all = []; }
    $w = client(["flush_interval" => 600]);
    $writer = $w->createWriter(' . $specs . ', k("w"));
    $writer->incr("hits");
    $w->incr(k("script"));
    // In a variable, a static, a cycle.
    $a = new Counts($w, "destructor", $writer);
    Keeps::$all[] = new Counts($w, "destructor", $writer);
    $cycle = new Counts($w, "destructor", $writer);
    $cycle->self = $cycle;
    unset($cycle);
    register_shutdown_function(function () use ($w, $writer) {
        $w->incr(k("shutdown"));
        $writer->incr("hits");
        same((string)$_SERVER["argc"], "1", "argc");
        register_shutdown_function(function () use ($w, $writer) {
            $w->incr(k("shutdown"));
            $writer->incr("hits");
            if (defined("END_IN_SHUTDOWN")) eval(END_IN_SHUTDOWN);
        });
    });
    set_exception_handler(function () use ($w) { $w->incr(k("handler")); });
';
// Each: code, how many of 3 destructors run, whether the exception handler does.
$ends = [
    'normal' => ['', 3, 0],
    'exit' => ['exit(0);', 3, 0],
    'exit in a function in a call' => ['array_map(function () { exit(0); }, [1]);', 3, 0],
    'exception' => ['throw new Exception("x");', 3, 1],
    'exit in a shutdown function' => ['define("END_IN_SHUTDOWN", "exit(0);");', 3, 0],
    'fatal error' => ['trigger_error("x", E_USER_ERROR);', 0, 0],
    'memory' => ['ini_set("memory_limit", "8M"); $s = str_repeat("x", 1 << 30);', 0, 0],
    'time' => ['set_time_limit(1); for (;;);', 0, 0],
    'fatal error in a shutdown function' => ['define("END_IN_SHUTDOWN", "trigger_error(\"x\", E_USER_ERROR);");', 0, 0],
];
if (getenv('USE_ZEND_ALLOC') === '0') {
    unset($ends['memory']); // valgrind: there is no limit
}
$expected = ['script' => 0, 'destructor' => 0, 'shutdown' => 0, 'handler' => 0, 'w' => 0];
$w = client();
$reader = fn() => $w->createReader(['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]], k('w'));
foreach ($ends as $what => [$code, $destructors, $handler]) {
    run("$setup $code");
    $expected['script']++;
    $expected['shutdown'] += 2;
    $expected['destructor'] += $destructors;
    $expected['handler'] += $handler;
    $expected['w'] += 3 + $destructors;
    $found = [];
    foreach (['script', 'destructor', 'shutdown', 'handler'] as $key) {
        $found[$key] = (int)raw()->get(k($key));
    }
    $r = $reader();
    $found['w'] = $r->getRate('hits', null, $r->latest(7200))->total();
    same($expected, $found, $what);
    // One difference is enough.
    $expected = $found;
}
echo "done\n";
--EXPECT--
done
