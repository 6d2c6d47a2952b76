--TEST--
increments merged before they are sent start at init plus the later steps
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['meta', 'classic'] as $protocol) {
    $w = client(['protocol' => $protocol]);
    $w->incr(k($protocol), 5, 0, 100);
    $w->incr(k($protocol), 3, 0, 100);
    $w->sync();
    echo raw()->get(k($protocol)), "\n";
    $w->incr(k($protocol), 5, 0, 100);
    $w->incr(k($protocol), 3, 0, 100);
    $w->sync();
    echo raw()->get(k($protocol)), "\n";
}
--EXPECT--
103
111
103
111
