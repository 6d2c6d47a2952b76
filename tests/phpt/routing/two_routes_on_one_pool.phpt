--TEST--
two handles with routes of their own on one pool, one to write and one to read: each has its own keys, one connection serves both
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$connections = $raw->stat('total_connections');
$config = ['servers' => [$server->address], 'prefix' => 'p:', 'keyspace' => 'wiki'];
// As a site does whose proxy sends what it writes to its own data centre and what it reads to the nearest.
$write = new WRStats($config + ['route' => '/eqiad/mw/']);
$read = new WRStats($config + ['route' => '/codfw/mw/']);
for ($i = 0; $i < 500; $i++) {
    $write->incr("k$i");
    $read->incr("k$i", 1000);
    $write->incr("k$i");
}
same("2", $write->get('k7'), 'read where it was written');
same("1000", $read->get('k7'), 'the other route');
$keys = array_map(fn($i) => "k$i", range(0, 499));
same(array_fill_keys($keys, 2), $write->getCounters($keys), 'all, where written');
same(array_fill_keys($keys, 1000), $read->getCounters($keys), 'all, the other route');
same(['2', '1000'], [$raw->get('/eqiad/mw/p:k9'), $raw->get('/codfw/mw/p:k9')], 'on the wire');

$specs = ['m' => seq(100, 1000)];
$writer = $write->createWriter($specs);
$other = $read->createWriter($specs);
$now = time();
foreach ([[$writer, 3], [$other, 40]] as [$one, $value]) {
    $one->setCurrentTime($now);
    $one->incr('m', ['e'], $value);
    $one->flush();
}
foreach ([[$write, 3], [$read, 40]] as [$handle, $value]) {
    $reader = $handle->createReader($specs);
    $reader->setCurrentTime($now);
    same($value, $reader->getRate('m', ['e'], $reader->latest(1000))->total(), 'a metric');
}
$bucket = intdiv($now, 100);
same('3', $raw->get("/eqiad/mw/p:wiki:WRStats:m::$bucket:e"), 'the key of a bucket');
same(true, $write->delete('k7'), 'delete');
same([null, '1000'], [$write->get('k7'), $read->get('k7')], 'the other stays');
same($connections + 1, $raw->stat('total_connections'), 'connections');
check_books($write, 'end');
echo "done\n";
--EXPECT--
done
