--TEST--
php-fpm under valgrind: requests that end in every way, a stopped server, recycled workers: no error, nothing lost
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$log = tempnam(sys_get_temp_dir(), 'wrstats');
unlink($log);
mkdir($log);
putenv('USE_ZEND_ALLOC=0');
// Libraries stay loaded, so that the places of what is lost have names.
putenv('ZEND_DONT_UNLOAD_MODULES=1');
$fpm = fpm('
    $w = new WRStats(["servers" => ["' . $server->address . '"], "prefix" => "p:", "retry_interval" => 0.1]);
    $writer = $w->createWriter(["hits" => ["sequences" => [["timeStep" => 3600, "expiry" => 7200]]]]);
    $writer->incr("hits", ["a"]);
    $w->incr("k");
    $w->incrMulti(["a" => 1, "b" => 2]);
    switch ($_GET["do"]) {
        case "all":
            $w->set("v", str_repeat("x", 10000));
            $w->getMulti(["v", "a", "none"]);
            $w->getCounters(["a", "v"]);
            $reader = $w->createReader(["hits" => []]);
            $reader->getRate("hits", ["a"], $reader->latest(60))->total();
            $limiter = $w->createRateLimiter(["c" => ["limit" => 3, "window" => 60]]);
            $limiter->tryIncr("c", ["x"]);
            try { $w->get("bad key"); } catch (ValueError) {}
            try { $w->incrAndGet("v"); } catch (WRStats\ServerException) {}
            break;
        case "exit": exit("fine");
        case "throw": throw new Exception("x");
        case "fatal": trigger_error("x", E_USER_ERROR);
        case "exit in a key": $w->get(new class { function __toString(): string { exit("fine"); } });
        case "finish": echo "fine"; fastcgi_finish_request(); $w->incr("k2"); exit;
    }
    echo "fine";
', 2, 'pm.max_requests = 12', '', "valgrind -q --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --log-file=$log/%p");
for ($round = 0; $round < 6; $round++) {
    if ($round === 3) {
        $server->pause();
    }
    foreach (['all', 'exit', 'throw', 'exit in a key', 'finish', 'fatal', 'all'] as $do) {
        $fpm->get('do=' . urlencode($do));
    }
    $server->resume();
}
$fpm->quit();
foreach (glob("$log/*") as $file) {
    foreach (preg_split('/^==\d+==\s*$/m', file_get_contents($file)) as $record) {
        // FPM loses things of its own, the tables of registered functions for one; a class of ours is among them.
        $ours = str_contains($record, 'wrstats') && !str_contains($record, 'zend_register_functions');
        if ($ours || preg_match('/Invalid (read|write|free)|uninitialised/', $record)) {
            echo substr($record, 0, 3_000), "\n";
        }
    }
}
between(3, 100, count(glob("$log/*")), 'processes looked at');
array_map(unlink(...), glob("$log/*"));
rmdir($log);
echo "done\n";
--EXPECT--
done
