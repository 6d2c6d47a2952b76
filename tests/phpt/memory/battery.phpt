--TEST--
every kind of call on memory:
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
battery(new WRStats('memory:'), '');
echo "done\n";
--EXPECT--
done
