<?php

/**
 * Servers that are far away, behind lines of 16 ms each way (tests/support/php/delay.php), and one that is stopped (SIGSTOP).
 * usage: bench.sh faults
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/clients.php';

use WRStats\Tests\Server;

const DELAY = 0.016;
const SERVERS = 8;
const MANY = 100_000;
const REQUEST = 1_200;

$findings = new Findings('faults');

// ---- far ----

$server = Server::tcp('-m', '512', '-t', '2', '-c', '1024', '-l', implode(',', array_map(fn($i) => "127.0.0.$i", range(1, SERVERS))));
$port = explode(':', $server->address)[1];
$eight = array_map(fn($i) => "127.0.0.$i:$port", range(1, SERVERS));
$ledger = new Ledger($server->address);
$line = proc_open([PHP_BINARY, '-n', __DIR__ . '/../support/php/delay.php', DELAY, ...$eight], [['pipe', 'r'], ['pipe', 'w']], $pipes);
$far = array_map(fn() => trim(fgets($pipes[1])), $eight);
$keys = array_map(fn($i) => "far:$i", range(1, 100));
$seed = new WRStats(['servers' => [$server->address]]);
$seed->incrMulti(array_fill_keys($keys, 3), 3600);
$seed->sync();

$ours = null;
$pecl = null;
$fresh = fn(int $number) => new WRStats(['servers' => $far, 'persistent' => "far-$number", 'timeout' => 5.0]);
$pecl_fresh = function () use ($far): Memcached {
    $client = new Memcached();
    $client->setOptions([Memcached::OPT_LIBKETAMA_COMPATIBLE => true, Memcached::OPT_TCP_NODELAY => true]);
    $client->addServers(array_map(fn($address) => explode(':', $address), $far));

    return $client;
};
$peers = [
    'wrstats, first read' => function (int $number) use (&$ours, $fresh, $keys) {
        $ours = $fresh($number);

        return $ours->getCounters($keys);
    },
    'wrstats, next read' => function () use (&$ours, $keys) {
        return $ours->getCounters($keys);
    },
];
if (extension_loaded('memcached')) {
    $peers['PECL memcached, first read'] = function () use (&$pecl, $pecl_fresh, $keys) {
        $pecl = $pecl_fresh();

        return $pecl->getMulti($keys);
    };
    $peers['PECL memcached, next read'] = function () use (&$pecl, $keys) {
        return $pecl->getMulti($keys);
    };
}
// What the lines themselves take: the same keys asked for at once on plain sockets, and nothing made of the answers.
$asked = [];
$router = $fresh(0);
foreach ($keys as $key) {
    $asked[$router->serverFor($key)] = ($asked[$router->serverFor($key)] ?? 'get') . " $key";
}
$sockets = null;
$connect = function () use ($asked, &$sockets): void {
    $sockets = array_map(function (string $address) {
        $socket = stream_socket_client("tcp://$address", $code, $error, 5, STREAM_CLIENT_CONNECT, stream_context_create(['socket' => ['tcp_nodelay' => true]]));
        stream_set_blocking($socket, false);

        return $socket;
    }, array_combine(array_keys($asked), array_keys($asked)));
};
$exchange = function () use ($asked, &$sockets): array {
    foreach ($sockets as $address => $socket) {
        fwrite($socket, "$asked[$address]\r\n");
    }
    $answers = array_fill_keys(array_keys($asked), '');
    for ($open = $sockets; $open !== [];) {
        $ready = $open;
        $none = null;
        stream_select($ready, $none, $none, 5);
        foreach ($ready as $address => $socket) {
            $answers[$address] .= fread($socket, 1 << 16);
            if (str_ends_with($answers[$address], "END\r\n")) {
                unset($open[$address]);
            }
        }
    }

    return array_fill(0, preg_match_all('/^3\r$/m', implode($answers)), 3);
};
$peers['the bare exchange, first'] = function () use ($connect, $exchange) {
    $connect();

    return $exchange();
};
$peers['the bare exchange, next'] = $exchange;
$times = race('far reads', $peers, 1, function (string $name, int $number, array $found): ?int {
    check(300, (int)array_sum($found), $name);

    return null;
});
$medians = $findings->table('100 keys on 8 servers, 32 ms there and back', 'one read', $times, 'wall', note: 'Connecting takes no time on such '
    . 'a line; over a real distance each first read takes one round trip more. The bare exchange shows what the lines, which are a PHP program, take.');
foreach (['first', 'next'] as $which) {
    $findings->wanted("far: the $which read / the bare exchange", $medians["wrstats, $which read"] / $medians["the bare exchange, $which"], '<=', 1.1);
}

$stats = new WRStats(['servers' => $far, 'persistent' => 'far-many', 'timeout' => 5.0]);
$stats->getCounters($keys);
$peers = ['wrstats' => function (int $number) use ($stats) {
    for ($i = 0; $i < MANY; $i++) {
        $stats->incr("far:$number:$i", 1, 3600);
    }
    $stats->flush();

    return MANY;
}];
$counts = ['wrstats' => MANY];
if (extension_loaded('memcached')) {
    $pecl = $pecl_fresh();
    $pecl->getMulti($keys);
    $pecl->setOption(Memcached::OPT_NOREPLY, true);
    $peers['PECL memcached, no replies'] = function (int $number) use ($pecl) {
        for ($i = 0; $i < MANY / 10; $i++) {
            $pecl->add("far:$number:$i", 0, 3600);
            $pecl->increment("far:$number:$i");
        }

        return MANY / 10;
    };
    $counts['PECL memcached, no replies'] = MANY / 10;
}
$times = race('far increments', $peers, $counts, function (string $name, int $number, int $n) use ($stats, $ledger, $pecl, $keys): int {
    // PECL lets no read through before what it wrote has arrived.
    $name === 'wrstats' ? check(true, $stats->sync(30.0), 'far sync()') : $pecl->getMulti($keys);

    return $n - $ledger->sum(array_map(fn($i) => "far:$number:$i", range(0, $n - 1)));
});
$medians = $findings->table('100,000 increments to far servers, time inside the client', 'one increment', $times, 'wall');
$findings->wanted('far: 100,000 increments, time inside the client', $medians['wrstats'] * MANY / 1e6, '<=', 0.012, 's');
fclose($pipes[0]);
proc_close($line);

// ---- stopped ----

$server = Server::tcp('-m', '256', '-t', '2');
$ledger = new Ledger($server->address);
$stats = new WRStats(['servers' => [$server->address], 'persistent' => 'stopped']);
$ours = function (array $keys) use ($stats) {
    foreach ($keys as $key) {
        $stats->incr($key, 1, 3600);
    }
    $stats->flush();
};
/** name => [a request's writes, whether the server stops before them, runs, brings the connection back: true once it has] */
$requests = [
    'wrstats, stopped' => [$ours, true, runs(), fn() => $stats->sync(2.0)],
    'wrstats, while the server runs' => [$ours, false, runs(), fn() => $stats->sync(2.0)],
];
if (extension_loaded('memcached')) {
    $pecl = new Memcached();
    $pecl->addServer(...explode(':', $server->address));
    $pecl->setOption(Memcached::OPT_TCP_NODELAY, true);
    $back = function () use ($pecl): bool {
        $pecl->setOption(Memcached::OPT_NOREPLY, false);

        return $pecl->set('back', '1', 60);
    };
    $requests['PECL memcached, no replies, stopped'] = [function (array $keys) use ($pecl) {
        $pecl->setOption(Memcached::OPT_NOREPLY, true);
        foreach ($keys as $key) {
            $pecl->add($key, 0, 3600);
            $pecl->increment($key);
        }
    }, true, runs(), $back];
    // It takes seconds, so a few runs do.
    $requests['PECL memcached, with replies, the first of 1,200'] = [fn(array $keys) => $pecl->add($keys[0], 0, 3600), true, min(3, runs()), $back];
}
$times = array_map(fn() => new Times(), $requests);
// The request in which the server stops: its connection is open, and nobody has noticed anything yet.
for ($run = 0; $run <= runs(); $run++) {
    foreach ($requests as $name => [$work, $stops, $most, $back]) {
        if ($run > $most) {
            continue;
        }
        progress("stopped server: run $run of " . runs() . ", $name");
        for ($tries = 0; !$back(); $tries++) {
            check(true, $tries < 100, "$name: the connection is back");
            usleep(100_000);
        }
        $keys = array_map(fn($i) => 'stopped:' . md5($name) . ":$run:$i", range(1, REQUEST));
        $stops && $server->pause();
        $from = hrtime(true);
        $work($keys);
        $wall = (hrtime(true) - $from) / 1e3;
        $stops && $server->resume();
        // The first only warms up.
        if ($run > 0) {
            $times[$name]->wall[] = $wall;
        }
        if ($work === $ours) {
            check(true, $stats->sync(10.0), "$name, sync()");
            check(REQUEST, $ledger->sum($keys), $name);
        }
    }
}
progress();
$medians = $findings->table('A request\'s 1,200 background writes to a server that has just stopped', 'one request', $times, 'wall',
    note: 'Of ours, every one arrives once the server goes on.');
$added = $medians['wrstats, stopped'] - $medians['wrstats, while the server runs'];
$findings->wanted('stopped server: added to a request', max(0.0, $added) / 1000, '<=', 0.3, 'ms');
