--TEST--
what fetches throws when a server concerned does not answer, and can try again
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

use WRStats\Tests\Server;
$servers = [Server::tcp(), Server::tcp()];
$h = new WRStats(['servers' => array_column($servers, 'address'), 'timeout' => 0.2, 'retry_interval' => 0.05]);
$h->setCurrentTime(1000);
$specs = ['m' => seq(100, 1000)];
$w = $h->createWriter($specs);
for ($i = 0; $i < 20; $i++) {
    $w->incr('m', [$i], 1 + $i);
}
$w->flush();
same(true, $h->sync(), 'sync');
$r = $h->createReader($specs);
$rates = array_map(fn($i) => $r->getRate('m', [$i], $r->latest(100)), range(0, 19));
$servers[1]->kill();
foreach (['fetch' => fn() => $r->fetch(), 'total' => fn() => $rates[3]->total(), 'perHour' => fn() => $rates[3]->perHour(),
    'reader' => fn() => $r->total($rates), 'again' => fn() => $r->total($rates)] as $what => $call) {
    try {
        $call();
        echo "$what: no exception\n";
    } catch (WRStats\ConnectionException $e) {
        same($servers[1]->address, $e->getServer(), "$what: server");
        same(true, in_array($e->getCode(), [WRStats::ERROR_UNREACHABLE, WRStats::ERROR_NO_RESPONSE], true), "$what: code");
    }
}
// Those of the other server alone.
$here = array_values(array_filter(range(0, 19), fn($i) => $h->serverFor("local:WRStats:m::10:$i") === $servers[0]->address
    && $h->serverFor("local:WRStats:m::9:$i") === $servers[0]->address));
$other = $h->createReader($specs);
if ($here) {
    same(1 + $here[0], $other->getRate('m', [$here[0]], $other->latest(100))->total(), 'a server that answers');
}
$servers[1]->start();
usleep(100_000);
$expected = array_map(fn($i) => in_array($h->serverFor("local:WRStats:m::10:$i"), [$servers[0]->address], true) ? 1 + $i : 0, range(0, 19));
same($expected, $r->total($rates), 'once it answers again');
echo "done\n";
--EXPECT--
done
