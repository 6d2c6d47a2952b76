--TEST--
an object whose constructor threw is harmless
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$class = new ReflectionClass('WRStats');
for ($i = 0; $i < 100; $i++) {
    try {
        $class->newInstance(['nope' => 1]);
    } catch (ValueError) {
    }
}
echo "done\n";
--EXPECT--
done
