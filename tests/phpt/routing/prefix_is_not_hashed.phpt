--TEST--
neither prefix nor route decides a key's server
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$servers = ['127.0.0.1:11211', '127.0.0.1:11212', '127.0.0.1:11213'];
foreach (['ketama', 'modula'] as $distribution) {
    $plain = new WRStats(['servers' => $servers, 'distribution' => $distribution]);
    $prefixed = new WRStats(['servers' => $servers, 'distribution' => $distribution, 'prefix' => 'pfx:', 'route' => '/a/b/']);
    for ($i = 0; $i < 200; $i++) {
        same($plain->serverFor("key$i"), $prefixed->serverFor("key$i"), "$distribution key$i");
    }
}
echo "done\n";
--EXPECT--
done
