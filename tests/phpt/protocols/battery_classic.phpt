--TEST--
every kind of call in the classic protocol
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
$w = client(['protocol' => 'classic']);
battery($w, k('battery:'));
same('classic', $w->servers()[server()]['dialect'], 'dialect');
echo "done\n";
--EXPECT--
done
