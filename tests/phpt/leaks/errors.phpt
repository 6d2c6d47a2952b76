--TEST--
refused calls and exceptions leave no memory behind
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$down = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()], 'retry_interval' => 60]);
$calls = [
    fn() => new WRStats(['nope' => str_repeat('x', 100)]),
    fn() => new WRStats(['servers' => [str_repeat('x', 200) . ':0']]),
    fn() => $down->incr(str_repeat('k', 300)),
    fn() => $down->incrMulti([str_repeat('k', 100) => 1, '' => 1]),
    fn() => $down->getMulti([str_repeat('k', 100), []]),
    fn() => $down->get('k'),
    fn() => $down->set('k', str_repeat('v', 100)),
    fn() => $down->incr([]),
    fn() => $down->getMulti(['k', str_repeat('k', 100)]),
    fn() => clone $down,
    fn() => serialize($down),
];
$round = function () use ($calls) {
    for ($i = 0; $i < 2_000; $i++) {
        foreach ($calls as $call) {
            try {
                $call();
            } catch (Throwable) {
            }
        }
    }
    return memory_get_usage();
};
$round();
$before = $round();
between(-1024, 1024, $round() - $before, 'bytes more after 2,000 rounds');
echo "done\n";
--EXPECT--
done
