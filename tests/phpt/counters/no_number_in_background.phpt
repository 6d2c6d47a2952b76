--TEST--
a background increment of what is no number is counted as failed
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['meta', 'classic'] as $protocol) {
    $w = client(['protocol' => $protocol]);
    raw()->set(k('abc'), 'abc');
    raw()->set(k('a'), 'AAA');
    for ($i = 0; $i < 5; $i++) {
        same(true, $w->incr(k("$protocol$i")), 'queued');
    }
    same(true, $w->incr(k('abc')), 'queued');
    same(true, $w->decr(k('missing')), 'queued');
    same('AAA', $w->get(k('a')), "$protocol: the next read");
    same(false, $w->sync(), "$protocol: sync tells");
    same(1, $w->metrics()['failed'], "$protocol: failed");
    same(6, $w->metrics()['confirmed'], "$protocol: confirmed");
    same(true, $w->incr(k("{$protocol}0")), 'queued');
    same(true, $w->sync(), "$protocol: the next sync");
    check_books($w, $protocol);
}
same('abc', raw()->get(k('abc')), 'value');
echo "done\n";
--EXPECT--
done
