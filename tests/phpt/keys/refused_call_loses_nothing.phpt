--TEST--
what was queued before a refused call still arrives
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incr(k(), 3);
foreach ([fn() => $w->incr('a b'), fn() => $w->incr(k(), -1), fn() => $w->incr(k(), 1, -1), fn() => $w->incrMulti([k() => 1, '' => 1])] as $bad) {
    try {
        $bad();
        echo "taken\n";
    } catch (ValueError) {
    }
}
same(true, $w->sync(), 'sync');
same('3', raw()->get(k()), 'value');
check_books($w, 'after');
echo "done\n";
--EXPECT--
done
