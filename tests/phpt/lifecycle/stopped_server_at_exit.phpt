--TEST--
a stopped server holds up the end of a process for a second at most
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$code = '
    $w = new WRStats(["servers" => ["' . $server->address . '"]]);
    $w->incrAndGet("k");
    echo "ready\n";
    while (!file_exists("%s")) usleep(5000);
    for ($i = 0; $i < 1000; $i++) $w->incr("n$i");
    file_put_contents("%s", microtime(true));
';
$go = tempnam(sys_get_temp_dir(), 'wrstats');
$end = tempnam(sys_get_temp_dir(), 'wrstats');
unlink($go);
exec('(while ! grep -q . ' . $end . '; do sleep 0.02; done) >/dev/null 2>&1 &');
$script = tempnam(sys_get_temp_dir(), 'wrstats');
file_put_contents($script, '<?php ' . sprintf($code, $go, $end));
$process = proc_open(php() . " $script", [1 => ['pipe', 'w'], 2 => STDERR], $pipes);
fgets($pipes[1]);
$server->pause();
touch($go);
stream_get_contents($pipes[1]);
proc_close($process);
between(0, 1.5, microtime(true) - (float)file_get_contents($end), 'seconds from the last line to the end');
array_map(unlink(...), [$go, $end, $script]);
echo "done\n";
--EXPECT--
done
