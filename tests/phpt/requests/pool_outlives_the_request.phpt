--TEST--
a worker keeps its connection over requests, and sends at each one's end
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
$web = web('$w = new WRStats(["servers" => ["' . $server->address . '"]]); $w->incr("k"); $w->incr("n" . $_GET["n"]);');
for ($i = 1; $i <= 50; $i++) {
    $web->get("n=$i");
    for ($tries = 0; $tries < 100 && $raw->get('k') !== (string)$i; $tries++) {
        usleep(2_000);
    }
    same((string)$i, $raw->get('k'), "after request $i");
}
same('1', $raw->get('n50'), 'the last key');
same($before + 1, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
