--TEST--
a stopped memcached delays answers by one shutdown_timeout a stall and worker, and none after fastcgi_finish_request()
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

use WRStats\Tests\Server;

const SHUTDOWN_TIMEOUT = 0.4;
foreach (['tcp', 'unix'] as $kind) {
    $server = Server::$kind();
    // So much that the kernel's buffers are full after a few requests.
    $fpm = fpm('
        $w = new WRStats(["servers" => ["' . $server->address . '"], "shutdown_timeout" => ' . SHUTDOWN_TIMEOUT . ', "buffer_bytes" => 1 << 26]);
        for ($i = 0; $i < 10000; $i++) $w->incr("a-key-of-about-fifty-bytes-and-so-on-and-so-on:" . $_GET["n"] . ":$i", 1, 600);
        echo "fine";
        if (isset($_GET["finish"])) fastcgi_finish_request();
    ');
    $ask = function (string $query) use ($fpm, $kind): float {
        $from = microtime(true);
        same('fine', $fpm->get($query), "$kind: answer");
        return microtime(true) - $from;
    };
    // What a request takes without memcached having to do with it.
    $ask('n=0');
    $usual = max($ask('n=1'), $ask('n=2'), $ask('n=3'));
    foreach ([1, 2] as $stall) {
        $server->pause();
        $delays = [];
        for ($n = 0; $n < 20; $n++) {
            $delays[] = max(0, $ask("n=$stall:$n") - $usual);
        }
        rsort($delays);
        between(0, SHUTDOWN_TIMEOUT + 0.15, array_sum($delays), "$kind: seconds of all delays, stall $stall");
        between(0, 0.15, $delays[1], "$kind: seconds of the second longest, stall $stall");
        $server->resume();
        // Takes bytes again.
        for ($n = 0; $n < 10; $n++) {
            usleep(50_000);
            $ask("n=again$stall:$n");
        }
    }
    // The client has its answer before anything of this begins.
    $server->pause();
    for ($n = 0; $n < 10; $n++) {
        between(0, SHUTDOWN_TIMEOUT / 2, $ask("finish&n=last:$n"), "$kind: seconds of an answer that was finished");
        usleep((int)(1e6 * 1.1 * SHUTDOWN_TIMEOUT));
    }
    $server->resume();
}
echo "done\n";
--EXPECT--
done
