--TEST--
every key is where PECL memcached keeps it
--EXTENSIONS--
wrstats
igbinary
msgpack
memcached
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

mt_srand(7);
foreach ([[1, 1], [1, 1, 1, 1, 1], [1, 2, 3], [10, 1]] as $weights) {
    foreach (['ketama', 'modula'] as $distribution) {
        // PECL's default distribution knows no weights.
        if ($distribution === 'modula' && array_unique($weights) !== [1]) {
            continue;
        }
        $pecl = new Memcached();
        $pecl->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, $distribution === 'ketama');
        $servers = [];
        foreach ($weights as $i => $weight) {
            $pecl->addServer("10.0.0.$i", 11211 + $i % 2, $weight);
            $servers[] = ['host' => "10.0.0.$i", 'port' => 11211 + $i % 2, 'weight' => $weight];
        }
        $w = new WRStats(['servers' => $servers, 'distribution' => $distribution]);
        for ($i = 0; $i < 500; $i++) {
            $key = $i % 2 ? "wiki:stats:$i" : 'k' . bin2hex(pack('N', mt_rand())) . "\xc3\xa9";
            $theirs = $pecl->getServerByKey($key);
            same("$theirs[host]:$theirs[port]", $w->serverFor($key), "$distribution " . json_encode($weights) . " $key");
        }
    }
}
echo "done\n";
--EXPECT--
done
