--TEST--
each FPM worker has one connection, over requests
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$before = $raw->stat('total_connections');
$fpm = fpm('
    $w = new WRStats(["servers" => ["' . $server->address . '"]]);
    for ($i = 0; $i < 10; $i++) { $w->incr("k"); $w->incr("n" . $_GET["n"]); }
    echo "fine";
', 2);
for ($round = 0; $round < 50; $round++) {
    $under_way = [$fpm->send("n=$round"), $fpm->send("n=$round")];
    foreach ($under_way as $request) {
        same('fine', $fpm->receive($request), "round $round");
    }
}
for ($tries = 0; $tries < 100 && $raw->get('k') !== '1000'; $tries++) {
    usleep(5_000);
}
same('1000', $raw->get('k'), 'counted by all');
same('20', $raw->get('n49'), 'counted in the last round');
between(1, 2, $raw->stat('total_connections') - $before, 'connections');
echo "done\n";
--EXPECT--
done
