--TEST--
getCounters gives ints and leaves out what is none
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
foreach (['one' => '1', 'zero' => '0', 'max' => '9223372036854775807', 'above' => '9223372036854775808', 'text' => 'abc', 'empty' => '', 'negative' => '-1', 'float' => '1.5'] as $name => $value) {
    raw()->set(k($name), $value);
}
var_dump($w->getCounters(['text', 'max', 'missing', 'one', 'above', 'empty', 'zero', 'negative', 'float']));
--EXPECT--
array(3) {
  ["max"]=>
  int(9223372036854775807)
  ["one"]=>
  int(1)
  ["zero"]=>
  int(0)
}
