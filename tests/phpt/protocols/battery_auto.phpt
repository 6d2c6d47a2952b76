--TEST--
every kind of call with protocol=auto, which finds meta
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
$w = client();
battery($w, k('battery:'));
same('meta', $w->servers()[server()]['dialect'], 'dialect');
echo "done\n";
--EXPECT--
done
