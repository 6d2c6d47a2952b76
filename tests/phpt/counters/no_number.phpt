--TEST--
a value that is no number stays, and is an error
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$values = ['abc' => null, '' => null, '1.5' => null, '-1' => null, '1e3' => null, ' 5' => 6, '5 ' => 6, '007' => 8];
foreach ($values as $value => $expected) {
    $key = k(bin2hex($value));
    raw()->set($key, $value);
    try {
        $got = $w->incrAndGet($key);
    } catch (WRStats\ServerException $e) {
        same(WRStats::ERROR_UNEXPECTED, $e->getCode(), "code for '$value'");
        same(server(), $e->getServer(), "server for '$value'");
        $got = null;
    }
    same($expected, $got, "'$value' + 1");
    if ($expected === null) {
        same((string)$value, $w->get($key), "'$value' afterwards");
    }
}
same(WRStats::ERROR_NONE, $w->lastErrorCode(), 'after a good call');
echo "done\n";
--EXPECT--
done
