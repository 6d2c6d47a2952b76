--TEST--
prefix and errors of one request are unknown to the next
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$web = web('
    if ($_GET["do"] === "first") {
        $w = client(["prefix" => k("tenant:")]);
        $w->incr("x");
        try { $w->set("text", "abc"); $w->incrAndGet("text"); } catch (WRStats\ServerException) {}
        echo $w->lastErrorCode();
    } else {
        $w = client();
        echo json_encode([$w->lastErrorCode(), $w->lastError()]);
        $w->incr(k("x"));
        echo $w->get(k("x"));
    }
');
echo $web->get('do=first'), ' ', $web->get('do=second'), ' ', raw()->get(k('tenant:x')), "\n";
--EXPECT--
3 [0,null]1 1
