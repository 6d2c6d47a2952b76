--TEST--
a stopped server delays the end of no request noticeably
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$web = web('
    $w = new WRStats(["servers" => ["' . $server->address . '"]]);
    for ($i = 0; $i < 1200; $i++) $w->incr("n$i");
    echo json_encode($w->metrics());
');
$web->get('');
$server->pause();
$slowest = 0;
for ($i = 0; $i < 20; $i++) {
    $from = microtime(true);
    $web->get('');
    $slowest = max($slowest, microtime(true) - $from);
}
between(0, 0.15, $slowest, 'seconds of the slowest request');
$server->resume();
$books = json_decode($web->get(''), true);
same($books['calls'], $books['refused'] + $books['merged'] + $books['queued'], 'calls');
same($books['queued'], $books['pending'] + $books['dropped'] + $books['sent'], 'queued');
echo "done\n";
--EXPECT--
done
