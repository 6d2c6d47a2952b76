--TEST--
PECL memcached reads what wrstats wrote, and the other way round
--EXTENSIONS--
wrstats
igbinary
msgpack
memcached
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$other = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [server(), $other->address]]);
$pecl = new Memcached();
$pecl->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
foreach ([server(), $other->address] as $address) {
    [$host, $port] = explode(':', $address);
    $pecl->addServer($host, (int)$port);
}
for ($i = 0; $i < 100; $i++) {
    $w->incr(k("ours$i"), $i + 1, 60);
    $pecl->set(k("theirs$i"), $i + 1, 60);
}
same(true, $w->sync(), 'sync');
$ours = array_map(fn($i) => k("ours$i"), range(0, 99));
$theirs = array_map(fn($i) => k("theirs$i"), range(0, 99));
same(array_map(strval(...), range(1, 100)), array_values($pecl->getMulti($ours, Memcached::GET_PRESERVE_ORDER)), 'PECL reads ours');
same(array_combine($theirs, range(1, 100)), $w->getCounters($theirs), 'we read PECL\'s');
same(101, $w->incrAndGet($theirs[99]), 'we count on');
same(101, $pecl->get($theirs[99]), 'PECL still sees an int');
echo "done\n";
--EXPECT--
done
