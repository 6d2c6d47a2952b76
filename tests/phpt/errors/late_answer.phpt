--TEST--
an answer that comes too late is never given to another call
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 0.05, 'retry_interval' => 0.01]);
$w->set('a', 'AAA');
$w->set('b', 'BBB');
$right = 0;
for ($i = 0; $i < 20; $i++) {
    $server->pause();
    try {
        same('AAA', $w->get('a'), 'a');
    } catch (WRStats\ConnectionException) {
    }
    $server->resume();
    for ($tries = 0; $tries < 100; $tries++) {
        try {
            $b = $w->get('b');
            same('BBB', $b, 'b');
            $right++;
            break;
        } catch (WRStats\ConnectionException) {
            usleep(10_000);
        }
    }
}
same(20, $right, 'answers after the pause');
echo "done\n";
--EXPECT--
done
