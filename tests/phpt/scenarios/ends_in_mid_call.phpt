--TEST--
a request that ends in the middle of a call leaves the next one of its worker right
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$web = web('
    $w = new WRStats(["servers" => ["' . $server->address . '"], "timeout" => 2, "retry_interval" => 0.05]);
    // Seen from outside: the call is about to begin.
    $now = fn() => touch($_GET["file"]);
    if (isset($_GET["do"])) {
        $w->incr("k");
    }
    switch ($_GET["do"] ?? "") {
        case "time": // cut off while it waits: the engine looks when the call returns
            set_time_limit(60);
            echo getmypid();
            ob_flush(); flush();
            $now();
            $w->getMulti(["a", "b"]);
            for (;;);
        case "loop": // cut off anywhere
            set_time_limit(1);
            for (;;) { $w->incr("noise"); $w->getMulti(["a", "b"]); }
        case "memory": // cut off while the answers are made into an array
            ini_set("memory_limit", "6M");
            $w->getMulti(["a", "big1", "big2", "big3", "big4", "big5", "big6", "big7", "big8"]);
            echo "enough";
            exit;
        case "memory, one": // while one value is
            ini_set("memory_limit", "2M");
            $hog = str_repeat("x", 1 << 20);
            $w->get("big1");
            echo "enough";
            exit;
        case "exit in a key":
            $w->getMulti(["a", new class { function __toString(): string { exit; } }]);
            exit;
        case "exit in a single key":
            $w->get(new class { function __toString(): string { exit; } });
            exit;
        case "throw in a key":
            $w->set(new class { function __toString(): string { throw new Exception("x"); } }, "A");
            exit;
        case "fatal in a key":
            $w->get(new class { function __toString(): string { no_such_function(); } });
            exit;
        case "memory in a key":
            $w->get(new class { function __toString(): string { ini_set("memory_limit", "4M"); return str_repeat("x", 1 << 30); } });
            exit;
        case "exit in a value":
            $w->set("a", new class { function __toString(): string { exit; } });
            exit;
        case "throw on the answer":
            try { $w->get("abc", 7); } catch (ValueError) { $w->incrAndGet("abc"); }
            exit;
    }
    echo json_encode([$w->get("a"), $w->getMulti(["b", "a"]), $w->get("k")]);
');
$big = str_repeat('B', 1_000_000);
foreach (['a' => 'AAA', 'b' => 'BBB', 'abc' => 'abc'] + array_fill_keys(array_map(fn($n) => "big$n", range(1, 8)), $big) as $key => $value) {
    $raw->set($key, $value);
}
$requests = 0;
$right = function () use (&$requests): string {
    return json_encode(['AAA', ['b' => 'BBB', 'a' => 'AAA'], (string)$requests]);
};
foreach ([
    'memory', 'memory, one', 'exit in a key', 'exit in a single key', 'throw in a key', 'fatal in a key',
    'memory in a key', 'exit in a value', 'throw on the answer', 'loop',
] as $do) {
    $answer = $web->get('do=' . urlencode($do));
    same(false, str_contains($answer, 'enough'), "$do: it has to fail");
    $requests++;
    usleep(20_000);
    same($right(), $web->get(''), "after $do");
}

// A stopped server holds the call; SIGPROF is how the engine measures max_execution_time.
$file = tempnam(sys_get_temp_dir(), 'wrstats');
foreach (['before', 'after'] as $when) {
    unlink($file);
    $server->pause();
    $script = 'echo file_get_contents($argv[1], false, stream_context_create(["http" => ["ignore_errors" => true]]));';
    $asking = proc_open([PHP_BINARY, '-n', '-r', $script, '--', $web->url('do=time&file=' . urlencode($file))], [1 => ['pipe', 'w']], $pipes);
    for ($tries = 0; $tries < 1000 && !file_exists($file); $tries++) {
        usleep(2_000);
        clearstatcache();
    }
    same(true, file_exists($file), 'the request got there');
    usleep(200_000);
    // The answer comes before the engine looks, or not at all.
    $when === 'before' && $server->resume();
    exec('kill -PROF ' . $web->pid());
    same(true, str_contains(stream_get_contents($pipes[1]), 'Maximum execution time'), 'it was cut off');
    proc_close($asking);
    $when === 'after' && $server->resume();
    $requests++;
    usleep(200_000);
    same($right(), $web->get(''), "after the time limit, server resumed $when");
}
unlink($file);
echo "done\n";
--EXPECT--
done
