--TEST--
objects and calls leave no memory behind
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$round = function () {
    for ($i = 0; $i < 2_000; $i++) {
        $w = client(['prefix' => k('')]);
        $w->incr("n$i");
        $w->get('a');
        $w->getMulti(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
        $w->getCounters(['a', "n$i"]);
        $w->setMulti(['a' => 'A', 'b' => 'B']);
        $w->servers();
        $w->metrics();
        unset($w);
    }
    gc_collect_cycles();
    return memory_get_usage();
};
$round();
$before = $round();
between(-1024, 1024, $round() - $before, 'bytes more after 2,000 rounds');
echo "done\n";
--EXPECT--
done
