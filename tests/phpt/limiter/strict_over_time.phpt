--TEST--
strict: over several windows and bucket changes no stretch of a window's length sees more than the limit
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/crowd.inc';

use WRStats\Tests\Server;

$servers = array_column([Server::tcp(), Server::tcp(), Server::tcp()], 'address');
foreach ([1, 3] as $n) {
    foreach (['strict' => true, 'default' => false] as $mode => $strict) {
        $times = crowd(16, 200, 5, function () use ($servers, $strict, $n) {
            $h = new WRStats(['servers' => array_slice($servers, 0, $n), 'prefix' => k("$n$strict")]);
            return $h->createRateLimiter(['c' => ['limit' => 100, 'window' => 1]], 'time', ['strict' => $strict, 'bucketCount' => 5]);
        });
        $most = most_within($times, 1);
        echo "$n servers, $mode: ", count($times), " of 3200 within 5 s, at most $most within 1 s, at a limit of 100 per 1 s\n";
        if ($strict && $most > 100) {
            echo "too many\n";
        }
        if (count($times) < 200) {
            echo "too few\n";
        }
    }
}
echo "done\n";
--EXPECTF--
1 servers, strict: %d of 3200 within 5 s, at most %d within 1 s, at a limit of 100 per 1 s
1 servers, default: %d of 3200 within 5 s, at most %d within 1 s, at a limit of 100 per 1 s
3 servers, strict: %d of 3200 within 5 s, at most %d within 1 s, at a limit of 100 per 1 s
3 servers, default: %d of 3200 within 5 s, at most %d within 1 s, at a limit of 100 per 1 s
done
