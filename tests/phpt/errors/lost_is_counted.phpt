--TEST--
what a server took with it shows as lost
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
$w->incrAndGet('warm');
$server->pause();
for ($i = 0; $i < 10; $i++) {
    $w->incr("n$i");
}
same(true, $w->flush(), 'flush');
$server->kill();
same(false, $w->sync(), 'sync');
same(10, $w->metrics()['lost'], 'lost');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
