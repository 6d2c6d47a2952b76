--TEST--
phpinfo and php --re have presentable sections
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

exec(php() . ' --ri wrstats', $info, $status);
same(0, $status, '--ri');
$text = implode("\n", $info);
same(true, str_contains($text, WRStats::VERSION), 'version');
foreach (array_keys(ini_get_all('wrstats', false)) as $setting) {
    same(true, str_contains($text, $setting), $setting);
}
exec(php() . ' --re wrstats', $reflection, $status);
same(0, $status, '--re');
same(true, str_contains(implode("\n", $reflection), 'class WRStats'), 'class WRStats');
same(true, str_contains(implode("\n", $reflection), 'Parameter #1 [ <optional> int $step = 1 ]'), 'a parameter with its default');
echo "done\n";
--EXPECT--
done
