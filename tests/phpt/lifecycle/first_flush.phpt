--TEST--
on a fresh connection, too, flush() hands over what is queued; meta is found out later
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
$w->incr('k', 6, 60);
same(true, $w->flush(), 'flush');
same(0, $w->metrics()['pending'], 'pending');
usleep(50_000);
same('6', $server->raw()->get('k'), 'value');
$w->incr('k', 1, 60);
usleep(50_000);
same(true, $w->flush(), 'second flush');
same(true, $w->sync(), 'sync');
same('7', $server->raw()->get('k'), 'value');
same('meta', $w->servers()[$server->address]['dialect'], 'dialect');
same(1, $w->metrics()['connects'], 'connects');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
