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
ob_start();
phpinfo(INFO_MODULES);
$info = ob_get_clean();
same(1, preg_match('/^wrstats$(.*?)^\w+$/ms', $info, $section), 'section');
same(true, str_contains($info, server()), 'server');
same(true, str_contains($info, 'meta'), 'dialect');
echo "done\n";
--EXPECT--
done
