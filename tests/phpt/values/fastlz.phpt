--TEST--
compress() and decompress(): FastLZ, and nothing else is read
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['a', str_repeat('abc', 1000), random_bytes(5000), serialize(array_fill(0, 60, ['id' => 7, 'text' => 'text of 7']))] as $data) {
    same($data, WRStats::decompress(WRStats::compress($data), strlen($data)), substr($data, 0, 9));
}
same(true, strlen(WRStats::compress(str_repeat('abc', 1000))) < 60, 'smaller');
same('', WRStats::compress(''), 'nothing');
$packed = WRStats::compress($data);
same(null, WRStats::decompress($packed, strlen($data) - 1), 'shorter than it is');
same(null, WRStats::decompress($packed, PHP_INT_MAX), 'longer than it is');
same(null, WRStats::decompress(substr($packed, 0, -1), strlen($data)), 'cut short');
same(null, WRStats::decompress('', 0), 'nothing is no FastLZ');
caught(fn() => WRStats::decompress($packed, -1));
echo "done\n";
--EXPECT--
ValueError: WRStats::decompress(): Argument #2 ($size) must be greater than or equal to 0, -1 given
done
