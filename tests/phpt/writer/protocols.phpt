--TEST--
writers and readers in every dialect, on several servers, on a socket
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

use WRStats\Tests\Server;
$servers = [Server::tcp(), Server::tcp(), Server::unix()];
$addresses = array_column($servers, 'address');
foreach ([
    'meta' => ['protocol' => 'meta'], 'classic' => ['protocol' => 'classic'], 'noreply' => ['protocol' => 'classic', 'noreply' => true],
    'memory' => ['servers' => ['memory:']], 'one' => ['servers' => [$addresses[2]]], 'modula' => ['distribution' => 'modula'],
    'prefix' => ['prefix' => 'p:', 'route' => '/r/'],
] as $what => $config) {
    $h = new WRStats($config + ['servers' => $addresses, 'keyspace' => $what]);
    $h->setCurrentTime(1000);
    $specs = ['m' => seq(100, 1000), 'f' => seq(100, 1000, ['resolution' => 0.01])];
    $w = $h->createWriter($specs);
    for ($i = 0; $i < 60; $i++) {
        $w->incr('m', [$i], $i);
        $w->incr('f', [$i], $i / 8);
        $w->incr('m', [$i], 1);
    }
    $w->flush();
    $r = $h->createReader($specs);
    $r->setCurrentTime(1050);
    for ($i = 0; $i < 60; $i++) {
        $rates = $r->getRates(['m', 'f'], [$i], $r->timeRange(1000, 1050));
        same(['m' => $i + 1, 'f' => round($i / 8 * 100) * 0.01], $r->total($rates), "$what $i");
    }
    $w->resetAll(array_map(fn($i) => [$i], range(0, 59)));
    $r = $h->createReader($specs);
    $r->setCurrentTime(1050);
    same(0, array_sum(array_map(fn($i) => $r->getRate('m', [$i], $r->timeRange(1000, 1050))->total(), range(0, 59))), "$what, after resetAll()");
    check_books($h, $what);
}
echo "done\n";
--EXPECT--
done
