--TEST--
strict: sixteen processes with 200 tries each are never let through more than the limit
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
foreach (['one server' => [$servers[0]], 'three servers' => $servers] as $where => $addresses) {
    foreach (['strict' => true, 'default' => false] as $mode => $strict) {
        $most = 0;
        $least = PHP_INT_MAX;
        for ($round = 0; $round < 4; $round++) {
            $times = crowd(16, 200, 0, function () use ($addresses, $strict, $round, $where) {
                $h = new WRStats(['servers' => $addresses, 'prefix' => k("$round$strict" . count($addresses))]);
                return $h->createRateLimiter(['c' => ['limit' => 100, 'window' => 600]], 'crowd', ['strict' => $strict]);
            });
            $most = max($most, count($times));
            $least = min($least, count($times));
        }
        echo "$where, $mode: $least to $most let through at a limit of 100\n";
        if ($strict && $most > 100) {
            echo "too many\n";
        }
        // Refused ones take theirs back: at some moment there was room for nearly all.
        if ($least < 80) {
            echo "too few\n";
        }
    }
}
echo "done\n";
--EXPECTF--
one server, strict: %d to %d let through at a limit of 100
one server, default: %d to %d let through at a limit of 100
three servers, strict: %d to %d let through at a limit of 100
three servers, default: %d to %d let through at a limit of 100
done
