--TEST--
requests and answers larger than the kernel's buffers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::unix();
$w = new WRStats(['servers' => [$server->address], 'timeout' => 10]);
$values = [];
for ($i = 0; $i < 40; $i++) {
    $values["k$i"] = str_repeat(chr(65 + $i % 26), 500_000);
}
same(true, $w->setMulti($values), 'setMulti');
same(md5(serialize($values)), md5(serialize($w->getMulti(array_keys($values)))), 'getMulti');
echo "done\n";
--EXPECT--
done
