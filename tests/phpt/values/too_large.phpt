--TEST--
a value that the server finds too large is an error; the connection stays
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
$w->set('k', 'v');
$raw = $server->raw();
$connections = $raw->stat('total_connections');
$big = str_repeat('x', 2_000_000);
foreach (['set', 'add'] as $method) {
    try {
        $w->$method('big', $big);
        echo "$method: stored\n";
    } catch (WRStats\ServerException $e) {
        same(WRStats::ERROR_UNEXPECTED, $e->getCode(), 'code');
        same(1, preg_match('/too large/', $e->getMessage()), $e->getMessage());
    }
}
same(true, $w->set('big', $big, background: true), 'queued');
same(false, $w->sync(), 'sync');
same(1, $w->metrics()['failed'], 'failed');
same('v', $w->get('k'), 'the next read');
same(false, $w->setMulti(['a' => 'A', 'big' => $big, 'b' => 'B']), 'setMulti');
same(WRStats::ERROR_UNEXPECTED, $w->lastErrorCode(), 'lastErrorCode');
same(['a' => 'A', 'b' => 'B'], $w->getMulti(['a', 'big', 'b']), 'what could be stored');
same($connections, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
