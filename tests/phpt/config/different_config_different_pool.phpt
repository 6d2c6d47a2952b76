--TEST--
a pool is never used for another config
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$base = client();
$base->incr(k());
foreach ([['timeout' => 0.7], ['protocol' => 'classic'], ['persistent' => 'name'], ['persistent' => 'other name'], ['distribution' => 'modula']] as $config) {
    same(0, client($config)->metrics()['calls'], json_encode($config));
}
same(1, client()->metrics()['calls'], 'the same config again');
echo "done\n";
--EXPECT--
done
