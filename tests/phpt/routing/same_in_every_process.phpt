--TEST--
the ring depends only on the config
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$code = '$w = new WRStats(["servers" => ["10.0.0.1:1", "10.0.0.2:2", "10.0.0.3:3"]]);
    for ($i = 0; $i < 300; $i++) { $all[] = $w->serverFor("key$i"); }
    echo md5(implode(",", $all)), " ", count(array_unique($all));';
[, $one] = run($code);
[, $two] = run($code);
same($one, $two, 'two processes');
same('3', substr($one, 33), 'servers used');
echo "done\n";
--EXPECT--
done
