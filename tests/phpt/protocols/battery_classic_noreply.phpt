--TEST--
every kind of call in the classic protocol without replies
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
$w = client(['protocol' => 'classic', 'noreply' => true]);
battery($w, k('battery:'));
between(1, PHP_INT_MAX, $w->metrics()['unverified'], 'unverified');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
