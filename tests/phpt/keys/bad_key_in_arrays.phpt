--TEST--
a bad key in an array refuses the whole call
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
$calls = [
    ['incrMulti', 'steps', fn($k) => $w->incrMulti(['good' => 1, $k => 1])],
    ['setMulti', 'values', fn($k) => $w->setMulti(['good' => 'v', $k => 'v'], background: true)],
    ['getMulti', 'keys', fn($k) => $w->getMulti(['good', $k])],
    ['getCounters', 'keys', fn($k) => $w->getCounters(['good', $k])],
    ['deleteMulti', 'keys', fn($k) => $w->deleteMulti(['good', $k], background: true)],
    ['touchMulti', 'keys', fn($k) => $w->touchMulti(['good', $k], 5, background: true)],
];
foreach ($calls as [$method, $name, $call]) {
    foreach (['', 'a b', "a\nb", str_repeat('x', 251)] as $key) {
        try {
            $call($key);
            echo "$method: ", json_encode($key), " was taken\n";
        } catch (ValueError $e) {
            $expected = "WRStats::$method(): Argument #1 (\$$name) ";
            same($expected, substr($e->getMessage(), 0, strlen($expected)), $method);
        }
    }
}
same(0, $w->metrics()['calls'], 'queued calls');
echo "done\n";
--EXPECT--
done
