--TEST--
background calls on missing keys never disturb a read
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k('there'), 'V');
$from = microtime(true);
for ($i = 0; $i < 10_000; $i++) {
    $w->delete(k('nope'), background: true);
    $w->touch(k('nope'), 60, background: true);
    $w->decr(k('nope'));
    if ($i % 100 === 0) {
        same('V', $w->get(k('there')), "read $i");
    }
}
same(true, $w->sync(10.0), 'sync');
same('V', $w->get(k('there')), 'the last read');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
