--TEST--
every way to name an entity
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats(['keyspace' => 'my_wiki']);
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$stringable = new class { public function __toString() { return 'text'; } };
foreach ([
    'null' => [null, 'my_wiki:WRStats:m::10'],
    'none' => [[], 'my_wiki:WRStats:m::10'],
    'EntityKey without components' => [WRStats\EntityKey::local(), 'my_wiki:WRStats:m::10'],
    'list' => [['a', 7], 'my_wiki:WRStats:m::10:a:7'],
    'string keys' => [['x' => 'a', 'y' => 7], 'my_wiki:WRStats:m::10:a:7'],
    'local EntityKey' => [WRStats\EntityKey::local('a', 7), 'my_wiki:WRStats:m::10:a:7'],
    'digits for an int' => [WRStats\EntityKey::local('a', '7'), 'my_wiki:WRStats:m::10:a:7'],
    'somebody\'s key' => [new ForeignKey(['a', 7]), 'my_wiki:WRStats:m::10:a:7'],
    'with string keys' => [new ForeignKey(['x' => 'a', 'y' => '7']), 'my_wiki:WRStats:m::10:a:7'],
    'global EntityKey' => [WRStats\EntityKey::global('a', 7), 'global:WRStats:m::10:a:7'],
    'somebody\'s global key' => [new ForeignKey(['a', 7], true), 'global:WRStats:m::10:a:7'],
    'global without components' => [WRStats\EntityKey::global(), 'global:WRStats:m::10'],
    'scalars' => [[true, false, 1.5, -3, '', null], 'my_wiki:WRStats:m::10:1::1.5:-3::'],
    'an object with a string form' => [[$stringable], 'my_wiki:WRStats:m::10:text'],
    'separators' => [['a:b', 'c d', 'e%f#', "\xc3\xa9"], 'my_wiki:WRStats:m::10:a%3Ab:c_d:e%25f%23:%C3%A9'],
    'control characters' => [["\r\n\0\x7f"], 'my_wiki:WRStats:m::10:%0D%0A%00%7F'],
] as $what => [$entity, $key]) {
    $before = (int)counter($h, $key);
    $w->incr('m', $entity, 3);
    $w->flush();
    same((string)($before + 3), counter($h, $key), $what);
}
echo "done\n";
--EXPECT--
done
