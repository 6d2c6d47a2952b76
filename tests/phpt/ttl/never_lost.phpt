--TEST--
a counter that expires and is made again always has its expiry
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

k();
$children = [];
for ($i = 0; $i < 4; $i++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        mt_srand($i);
        $w = client();
        for ($j = 0; $j < 12; $j++) {
            $w->incrAndGet(k(), 1, 1);
            if (raw()->ttl(k()) === -1) {
                echo "without expiry\n";
            }
            usleep(mt_rand(0, 400_000));
        }
        exit(0);
    }
    $children[] = $pid;
}
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
}
echo "done\n";
--EXPECT--
done
