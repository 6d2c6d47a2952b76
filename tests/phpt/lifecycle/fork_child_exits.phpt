--TEST--
a child that only exits leaves the parent's connection alone
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$w = new WRStats(['servers' => [$server->address]]);
$w->incr('k');
$w->flush();
same(1, $w->incrAndGet('other'), 'connected');
$connections = $raw->stat('total_connections');
for ($i = 0; $i < 10; $i++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        exit(0);
    }
    pcntl_waitpid($pid, $status);
    same(0, pcntl_wexitstatus($status), 'exit code');
}
same(2, $w->incrAndGet('k'), 'parent goes on');
same($connections, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
