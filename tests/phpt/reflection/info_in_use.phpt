--TEST--
phpinfo shows servers, their dialects and the totals
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->incrAndGet(k());
$w->incr(k());
same(true, $w->sync(), 'sync');
ob_start();
phpinfo(INFO_MODULES);
// Up to the next module, or the end.
same(1, preg_match('/^wrstats$(.*?)(?=^\w+$|\z)/ms', ob_get_clean(), $section), 'section');
foreach ([
    'Server ' . server() . ' => connected, meta, version 1.',
    'Pool confirmed => 1',
    'Pool connects => 1',
    'Process total, as of the last request: confirmed => 0',
    'wrstats.servers => ',
] as $line) {
    same(true, str_contains($section[1], "\n$line"), $line);
}
echo "done\n";
--EXPECT--
done
