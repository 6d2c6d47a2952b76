--TEST--
an entity object that changes counts for what it is at that moment, an array for what it was
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$h = stats();
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$key = new ForeignKey(['a']);
$w->incr('m', $key);
$key->components = ['b'];
$w->incr('m', $key, 2);
$list = ['c'];
$w->incr('m', $list, 4);
$list[0] = 'd';
$w->incr('m', $list, 8);
$part = 'e';
$list = [&$part];
$w->incr('m', $list, 16);
$part = 'f';
$w->incr('m', $list, 32);
$text = new class { public $text = 'g'; public function __toString() { return $this->text; } };
$list = [$text];
$w->incr('m', $list, 64);
$text->text = 'h';
$w->incr('m', $list, 128);
// Objects that are gone, whose place in memory others take.
for ($i = 0; $i < 20; $i++) {
    $w->incr('m', WRStats\EntityKey::local("n$i"), 1000 + $i);
    $w->incr('m', ["l$i", $i], 2000 + $i);
}
$w->flush();
foreach (['a' => 1, 'b' => 2, 'c' => 4, 'd' => 8, 'e' => 16, 'f' => 32, 'g' => 64, 'h' => 128] as $name => $value) {
    same((string)$value, counter($h, "local:WRStats:m::10:$name"), $name);
}
for ($i = 0; $i < 20; $i++) {
    same((string)(1000 + $i), counter($h, "local:WRStats:m::10:n$i"), "n$i");
    same((string)(2000 + $i), counter($h, "local:WRStats:m::10:l$i:$i"), "l$i");
}
echo "done\n";
--EXPECT--
done
