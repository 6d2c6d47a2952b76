--TEST--
the loaded extension is what stubs/wrstats.stub.php says
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$describe = __DIR__ . '/../inc/describe.inc';
$stub = realpath(__DIR__ . '/../../../stubs/wrstats.stub.php');
exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg($describe) . ' ' . escapeshellarg($stub), $fromStub, $status);
same(0, $status, 'the stub can be read');
exec(php() . ' ' . escapeshellarg($describe), $fromExtension, $status);
same(0, $status, 'the extension can be described');
foreach (array_diff($fromStub, $fromExtension) as $line) {
    echo "only in the stub: $line\n";
}
foreach (array_diff($fromExtension, $fromStub) as $line) {
    echo "only in the extension: $line\n";
}
same(true, count($fromStub) > 100, 'lines');
echo "done\n";
--EXPECT--
done
