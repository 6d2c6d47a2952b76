--TEST--
a stopped server delays no answer noticeably
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$fpm = fpm('
    $w = new WRStats(["servers" => ["' . $server->address . '"]]);
    for ($i = 0; $i < 1200; $i++) $w->incr("n$i");
    echo "fine";
');
same('fine', $fpm->get(), 'answer');
$server->pause();
$slowest = 0;
for ($i = 0; $i < 20; $i++) {
    $from = microtime(true);
    same('fine', $fpm->get(), 'answer');
    $slowest = max($slowest, microtime(true) - $from);
}
between(0, 0.15, $slowest, 'seconds of the slowest answer');
$server->resume();
echo "done\n";
--EXPECT--
done
