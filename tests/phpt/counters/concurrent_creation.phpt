--TEST--
eight processes creating one counter lose nothing
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$children = [];
for ($i = 0; $i < 8; $i++) {
    k();
    $pid = pcntl_fork();
    if ($pid === 0) {
        $w = client();
        for ($j = 0; $j < 1000; $j++) {
            $w->incr(k());
            if ($j % 10 === 0) {
                $w->flush();
            }
        }
        exit($w->sync() ? 0 : 1);
    }
    $children[] = $pid;
}
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
    same(0, pcntl_wexitstatus($status), 'exit code');
}
echo raw()->get(k()), "\n";
--EXPECT--
8000
