<?php

/**
 * Web requests under PHP-FPM with 1, 2 and 4 workers: 5 counters each, as a page makes them, on a connection that the worker
 * keeps. As many requests are under way as there are workers. Counted is the workers' CPU for a request, to the end of its
 * own clean-up, less that of an empty page. usage: bench.sh fpm
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/clients.php';
require __DIR__ . '/../support/php/Fpm.php';

use WRStats\Tests\Fpm;
use WRStats\Tests\Server;

const REQUESTS = 200;

$findings = new Findings('fpm');
$server = Server::tcp('-m', '256', '-t', '2');
[$host, $port] = explode(':', $server->address);
$ledger = new Ledger($server->address);
$pages = [
    'wrstats' => "\$w = new WRStats(['servers' => ['$server->address']]);
        for (\$i = 0; \$i < 5; \$i++) { \$w->incr(\"fpm:{\$_GET['run']}:\$i\", 1, 3600); }",
    'PHP stream, ma, nothing confirmed' => "\$s = stream_socket_client('tcp://$server->address', \$e, \$m, 1, STREAM_CLIENT_CONNECT | STREAM_CLIENT_PERSISTENT);
        stream_set_blocking(\$s, false);
        \$b = '';
        for (\$i = 0; \$i < 5; \$i++) { \$b .= \"ma fpm:{\$_GET['run']}:\$i N3600 J1 D1 q\\r\\n\"; }
        fread(\$s, 65536);
        fwrite(\$s, \$b);",
];
if (extension_loaded('memcached')) {
    $pages['PECL memcached, no replies'] = "\$m = new Memcached('fpm');
        if (!\$m->getServerList()) { \$m->addServer('$host', $port); \$m->get('c'); \$m->setOption(Memcached::OPT_NOREPLY, true); }
        for (\$i = 0; \$i < 5; \$i++) { \$m->add(\$k = \"fpm:{\$_GET['run']}:\$i\", 0, 3600); \$m->increment(\$k); }";
}
if (extension_loaded('apcu')) {
    $pages['apcu (one host, no network)'] = "for (\$i = 0; \$i < 5; \$i++) { apcu_inc(\"fpm:{\$_GET['run']}:\$i\", 1, \$done, 3600); }
        if (isset(\$_GET['sum'])) { for (\$sum = \$i = 0; \$i < 5; \$i++) { \$sum += apcu_fetch(\"fpm:{\$_GET['sum']}:\$i\"); } echo \$sum; exit; }";
}

// As sites run it: otherwise compiling the page is most of what differs.
$opcache = is_file(ini_get('extension_dir') . '/opcache.so') ? ' -d zend_extension=opcache -d opcache.file_update_protection=0' : '';

/** Microseconds of CPU that processes have used so far. */
function used_by(array $pids): float
{
    return array_sum(array_map(fn(int $pid) => (int)file_get_contents("/proc/$pid/schedstat"), $pids)) / 1000;
}

foreach ([1, 2, 4] as $workers) {
    $peers = $pools = $pids = [];
    $cpu = [];
    foreach (['empty page' => ''] + $pages as $name => $page) {
        $options = getenv('WRSTATS_BENCH_OPTIONS') . ' -d apc.entries_hint=100000' . $opcache;
        $pools[$name] = $fpm = Fpm::running($options, "$page\necho getmypid();", $workers);
        // Long enough under way together that each worker gets one.
        $pids[$name] = [];
        for ($tries = 0; count($pids[$name]) < $workers && $tries < 1000; $tries++) {
            $under_way = array_map(fn() => $fpm->send('run=warm'), range(1, $workers));
            foreach ($under_way as $request) {
                $pid = (int)$fpm->receive($request);
                $pids[$name][$pid] = $pid;
            }
            // A worker waits for its client to close.
            unset($under_way, $request);
        }
        check($workers, count($pids[$name]), "$name: workers that answered");
        $peers[$name] = function (int $number) use ($name, $fpm, $workers, &$pids, &$cpu) {
            $before = used_by($pids[$name]);
            $under_way = [];
            for ($i = 0; $i < REQUESTS + $workers; $i++) {
                if ($i >= $workers) {
                    $answer = $fpm->receive(array_shift($under_way));
                    check(true, in_array((int)$answer, $pids[$name], true), "$name: answered by a worker");
                }
                if ($i < REQUESTS) {
                    $under_way[] = $fpm->send("run=$number");
                }
            }
            // What follows the answer is of the request too.
            usleep(2000);
            $cpu[$name][] = (used_by($pids[$name]) - $before) / REQUESTS;
        };
    }
    $times = race("FPM, $workers workers", $peers, REQUESTS, function (string $name, int $number) use ($ledger, $pools): ?int {
        if ($name === 'empty page') {
            return null;
        }
        if (str_starts_with($name, 'apcu')) {
            return 5 * REQUESTS - (int)$pools[$name]->get("run=sum&sum=$number");
        }
        $keys = array_map(fn($i) => "fpm:$number:$i", range(0, 4));
        for ($tries = 0; $tries < 100 && ($sum = $ledger->sum($keys)) < 5 * REQUESTS; $tries++) {
            usleep(5000);
        }

        return 5 * REQUESTS - $sum;
    });
    foreach ($times as $name => $peer) {
        // Every second run warmed up.
        $peer->cpu = array_map(fn($i) => $cpu[$name][2 * $i + 1], array_keys($peer->cpu));
    }
    $empty = $times['empty page'];
    unset($times['empty page']);
    $plural = $workers === 1 ? 'worker' : 'workers';
    $findings->table("FPM, $workers $plural: a page with 5 counters", 'one request beyond an empty page\'s', $times, 'cpu', $empty);
    $findings->number("an empty page, $workers $plural", median($empty->cpu), 'µs');
    unset($pools, $peers, $fpm);
}
