--TEST--
every method refuses bad keys before anything is sent
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
$calls = [
    'incr' => [1, fn($k) => $w->incr($k)],
    'decr' => [1, fn($k) => $w->decr($k)],
    'incrAndGet' => [1, fn($k) => $w->incrAndGet($k)],
    'decrAndGet' => [1, fn($k) => $w->decrAndGet($k)],
    'get' => [1, fn($k) => $w->get($k)],
    'set' => [1, fn($k) => $w->set($k, 'v')],
    'add' => [1, fn($k) => $w->add($k, 'v')],
    'replace' => [1, fn($k) => $w->replace($k, 'v', background: true)],
    'cas' => [2, fn($k) => $w->cas(1, $k, 'v')],
    'delete' => [1, fn($k) => $w->delete($k)],
    'touch' => [1, fn($k) => $w->touch($k, 5)],
    'serverFor' => [1, fn($k) => $w->serverFor($k)],
];
foreach ($calls as $method => [$position, $call]) {
    foreach (['', 'a b', "a\nb", "\0", "\x7f", str_repeat('x', 251)] as $key) {
        try {
            $call($key);
            echo "$method(", json_encode($key), ") was taken\n";
        } catch (ValueError $e) {
            $expected = "WRStats::$method(): Argument #$position (\$key) must be 1 to 250 bytes";
            same($expected, substr($e->getMessage(), 0, strlen($expected)), $method);
        }
    }
}
same(0, $w->metrics()['commands_sent'] + $w->metrics()['pending'], 'commands');
echo "done\n";
--EXPECT--
done
