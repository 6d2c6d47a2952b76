--TEST--
php-fpm under valgrind: requests that end in every way, a stopped server, recycled workers, a graceful reload: no error, nothing lost
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
$valgrind = 'valgrind -q --trace-children=yes --leak-check=full --show-leak-kinds=definite'
    . ' --suppressions=' . escapeshellarg(__DIR__ . '/../../support/valgrind.supp') . " --log-file=$log/%p";
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
', 3, 'pm.max_requests = 12', 'process_control_timeout = 60', $valgrind);
$asked = $stopped = 0;
for ($round = 0; $round < 8; $round++) {
    if ($round === 3) {
        $server->pause();
    }
    $answers = array_map(
        fn($do) => $fpm->send('do=' . urlencode($do)),
        ['all', 'exit', 'throw', 'exit in a key', 'finish', 'fatal', 'all'],
    );
    if ($round === 5) {
        // The master begins anew, in the same process; workers end what they have.
        $before = count(glob("$log/*"));
        $fpm->reload();
    }
    foreach ($answers as $answer) {
        same(true, $fpm->receive($answer) !== null, "an answer, round $round");
        // The worker waits for that.
        fclose($answer);
        $asked++;
        $stopped += (int)($round === 3);
    }
    $server->resume();
}
$fpm->quit();
between($asked - $stopped, $asked, (int)$server->raw()->get('p:k'), 'requests counted');
foreach (glob("$log/*") as $file) {
    foreach (preg_split('/^==\d+==\s*$/m', file_get_contents($file)) as $record) {
        // FPM loses things of its own.
        if (str_contains($record, 'wrstats') || preg_match('/Invalid (read|write|free)|uninitialised/', $record)) {
            echo substr($record, 0, 3_000), "\n";
        }
    }
}
between(4, 100, $before, 'processes looked at');
between($before + 3, 100, count(glob("$log/*")), 'the same with the workers after the reload');
array_map(unlink(...), glob("$log/*"));
rmdir($log);
echo "done\n";
--EXPECT--
done
