--TEST--
every kind of call through a proxy that closes on meta commands
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/../inc/battery.inc';
require __DIR__ . '/../../support/php/Twemproxy.php';
$proxy = \WRStats\Tests\Twemproxy::inFrontOf(server());
$w = new WRStats(['servers' => [$proxy->address]]);
battery($w, k('battery:'));
same('classic', $w->servers()[$proxy->address]['dialect'], 'dialect');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
