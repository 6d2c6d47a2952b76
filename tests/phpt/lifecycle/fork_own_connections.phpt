--TEST--
parent and children never read each other's answers
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
$w->incrAndGet('warm');
$before = $raw->stat('total_connections');
$count = function (string $key) use ($w): int {
    for ($i = 1; $i <= 500; $i++) {
        if ($w->incrAndGet($key) !== $i) {
            return 1;
        }
    }
    return 0;
};
$children = [];
for ($child = 0; $child < 8; $child++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        exit($count("child$child"));
    }
    $children[] = $pid;
}
same(0, $count('parent'), 'parent');
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
    same(0, pcntl_wexitstatus($status), 'child');
}
for ($child = 0; $child < 8; $child++) {
    same('500', $raw->get("child$child"), "child$child");
}
same($before + 8, $raw->stat('total_connections'), 'connections');
echo "done\n";
--EXPECT--
done
