--TEST--
ini settings are what a config leaves out
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

[$status, $output] = run('
    (new WRStats())->incrAndGet(k());
    (new WRStats(null))->incrAndGet(k());
    (new WRStats([]))->incrAndGet(k());
    (new WRStats(["prefix" => "p:"]))->incrAndGet(k());
    echo implode(",", array_keys((new WRStats())->servers()));
', '-d wrstats.servers=' . server());
same(0, $status, 'exit code');
same(server(), $output, 'servers');
same('3', raw()->get(k()), 'counted');
same('1', raw()->get('p:' . k()), 'counted under a prefix');
echo "done\n";
--EXPECT--
done
