--TEST--
a writer over a PHP store hands over in its destructor, which PHP skips after a fatal error only
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

fatal_errors_follow();

$ends = [
    'normal' => '', 'exit' => 'exit(3);', 'uncaught exception' => 'throw new Exception("x");', 'unset' => 'unset($w);',
    'undefined function' => 'no_such_function();', 'time limit' => 'set_time_limit(1); while (true) { $x = 1; }',
    'compile error' => 'eval("class A { function a() {} function a() {} }");',
    'store throws' => '$store->throws = true;',
];
foreach ($ends as $what => $end) {
    $file = tempnam(sys_get_temp_dir(), 'wrstats');
    [, $output] = run('require_once ' . var_export(__DIR__ . '/../inc/stats.inc', true) . ';
        class FileStore extends RecordingStore {
            public $throws = false;
            function incr(array $values, $ttl) {
                if ($this->throws) throw new Exception("thrown by the store");
                file_put_contents(' . var_export($file, true) . ', json_encode($values), FILE_APPEND);
            }
        }
        $store = new FileStore;
        $h = WRStats::onStore($store); $h->setCurrentTime(1000);
        $w = $h->createWriter(["m" => seq(100, 1000)]); $w->incr("m"); ' . $end);
    echo "$what: ", file_get_contents($file) ?: 'nothing', str_contains($output, 'thrown by the store') ? ', and told' : '', "\n";
    unlink($file);
}
--EXPECT--
normal: {"local:WRStats:m::10":1}
exit: {"local:WRStats:m::10":1}
uncaught exception: {"local:WRStats:m::10":1}
unset: {"local:WRStats:m::10":1}
undefined function: {"local:WRStats:m::10":1}
time limit: nothing
compile error: nothing
store throws: nothing, and told
