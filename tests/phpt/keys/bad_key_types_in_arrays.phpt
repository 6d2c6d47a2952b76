--TEST--
lists of keys hold strings and ints
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
foreach (['getMulti', 'getCounters', 'deleteMulti'] as $method) {
    foreach ([[], null, new stdClass] as $key) {
        try {
            $w->$method(['good', $key]);
            echo "$method: ", get_debug_type($key), " was taken\n";
        } catch (TypeError|ValueError $e) {
            same(true, str_starts_with($e->getMessage(), "WRStats::$method(): Argument #1 (\$keys) "), $e->getMessage());
        }
    }
}
echo "done\n";
--EXPECT--
done
