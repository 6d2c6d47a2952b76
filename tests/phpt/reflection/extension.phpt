--TEST--
the extension's name, version and classes
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$extension = new ReflectionExtension('wrstats');
preg_match('/^version = "(.*)"/m', file_get_contents(__DIR__ . '/../../../Cargo.toml'), $version);
same($version[1], WRStats::VERSION, 'WRStats::VERSION');
same($version[1], $extension->getVersion(), 'version');
same($version[1], phpversion('wrstats'), 'phpversion()');
same([], $extension->getFunctions(), 'functions');
foreach (['WRStats', 'WRStats\Exception', 'WRStats\ConnectionException', 'WRStats\ServerException'] as $class) {
    same(true, in_array($class, $extension->getClassNames(), true), $class);
}
echo "done\n";
--EXPECT--
done
