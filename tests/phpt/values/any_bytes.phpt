--TEST--
values are bytes: line ends, NUL, nothing, a whole megabyte
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
mt_srand(1);
// Not byte by byte: under valgrind a string that grows is copied each time.
$random = pack('V*', ...array_map(fn() => mt_rand(), range(1, 250_000)));
$values = ['protocol' => "a\r\nEN\r\nVA 1\r\nEND\r\nx", 'empty' => '', 'nul' => "\0", 'line end' => "\r\n", 'big' => $random, 'utf8' => 'ü'];
foreach ($values as $name => $value) {
    same(true, $w->set(k(md5($name)), $value), "set $name");
    same(md5($value), md5($w->get(k(md5($name)))), "get $name");
    same(md5($value), md5(raw()->get(k(md5($name)))), "on the server: $name");
}
$w->incr(k('n'), 3);
$names = array_map(fn($name) => k(md5($name)), array_keys($values));
$got = $w->getMulti([...$names, k('n')]);
same(array_map(md5(...), [...array_values($values), '3']), array_map(md5(...), array_values($got)), 'getMulti');
echo "done\n";
--EXPECT--
done
