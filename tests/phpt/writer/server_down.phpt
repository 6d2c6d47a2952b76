--TEST--
a writer never throws for the network; what it counted waits or shows in the books
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$server = WRStats\Tests\Server::tcp();
$h = new WRStats(['servers' => [$server->address], 'retry_interval' => 0.05, 'timeout' => 0.2]);
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$server->kill();
$w->incr('m', null, 3);
$w->flush();
$h->flush();
same(false, $h->sync(), 'sync');
check_books($h, 'down');
$w->incr('m', null, 4);
$w->flush();
$server->start();
usleep(100_000);
same(true, $h->sync() || $h->sync(), 'sync');
same('7', $server->raw()->get('local:WRStats:m::10'), 'all of it, once');
check_books($h, 'up again');
echo "done\n";
--EXPECT--
done
