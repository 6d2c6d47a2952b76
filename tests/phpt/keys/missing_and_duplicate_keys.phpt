--TEST--
missing keys are absent, duplicates come once, order is that of the question
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client(['prefix' => k('')]);
$w->setMulti(['a' => 'A', 'b' => 'B', 'c' => 'C']);
echo json_encode($w->getMulti(['b', 'nope', 'a', 'b'])), "\n";
echo json_encode($w->getMulti(['c', 'a', 'b'])), "\n";
echo json_encode($w->getMulti(['x' => 'c', 'y' => 'a'])), "\n";
echo json_encode($w->getMulti(['nope'])), "\n";
--EXPECT--
{"b":"B","a":"A"}
{"c":"C","a":"A","b":"B"}
{"c":"C","a":"A"}
[]
