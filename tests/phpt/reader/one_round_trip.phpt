--TEST--
any number of rates on any number of servers are read in one round trip
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

use WRStats\Tests\Server;
$servers = [Server::tcp(), Server::tcp(), Server::tcp()];
$h = new WRStats(['servers' => array_column($servers, 'address')]);
$h->setCurrentTime(100_000);
$specs = ['a' => seq(100, 1400), 'b' => seq(100, 1400), 'c' => seq(10, 1400), 'd' => seq(100, 1400)];
$w = $h->createWriter($specs);
for ($i = 0; $i < 20; $i++) {
    $w->incr('a', [$i], $i);
}
$w->flush();
$h->sync();
$h->getMulti(array_map(fn($i) => "warm$i", range(1, 50)));
$h->sync();
$r = $h->createReader($specs);
$rates = [];
for ($i = 0; $i < 20; $i++) {
    $rates[] = $r->getRates(['a', 'b', 'c', 'd'], [$i], $r->latest(1400));
}
$before = $h->metrics();
$gets = array_sum(array_map(fn($s) => $s->raw()->stat('cmd_get'), $servers));
foreach ($rates as $i => $of) {
    same(['a' => $i, 'b' => 0, 'c' => 0, 'd' => 0], $r->total($of), "rates $i");
}
$after = $h->metrics();
same(3, $after['writes'] - $before['writes'], 'sends');
$gets = array_sum(array_map(fn($s) => $s->raw()->stat('cmd_get'), $servers)) - $gets;
same(20 * (3 * 15 + 141), $gets, 'keys read');
echo "done\n";
--EXPECT--
done
