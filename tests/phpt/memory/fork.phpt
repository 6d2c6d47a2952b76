--TEST--
a child works on its own copy
--EXTENSIONS--
wrstats
pcntl
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
$w->incr('k', 2);
if (($pid = pcntl_fork()) === 0) {
    $w->incr('k', 5);
    exit($w->incrAndGet('k', 0) > 2 ? 0 : 1);
}
pcntl_waitpid($pid, $status);
same(0, pcntl_wexitstatus($status), 'child');
same('2', $w->get('k'), 'parent');
echo "done\n";
--EXPECT--
done
