--TEST--
increments of one key that wait together go out as one
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
// The server counts additions as hits, creations nowhere.
$server->raw()->set('k', '0');
for ($i = 0; $i < 1000; $i++) {
    $w->incr('k');
}
same(true, $w->sync(), 'sync');
$stats = $server->raw()->stats();
same('1000', $server->raw()->get('k'), 'value');
same(1, (int)$stats['incr_hits'], 'commands that reached the server');
$m = $w->metrics();
same([1000, 999, 1, 1], [$m['calls'], $m['merged'], $m['queued'], $m['confirmed']], 'calls, merged, queued, confirmed');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
