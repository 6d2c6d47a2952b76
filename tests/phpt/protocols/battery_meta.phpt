--TEST--
every kind of call in the meta protocol
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
battery(client(['protocol' => 'meta']), k('battery:'));
echo "done\n";
--EXPECT--
done
