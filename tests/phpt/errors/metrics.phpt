--TEST--
metrics() has every total, all int
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$m = (new WRStats('memory:'))->metrics();
$names = [
    'calls', 'refused', 'merged', 'queued', 'pending', 'dropped', 'sent', 'in_flight', 'confirmed', 'unverified',
    'failed', 'lost', 'pending_bytes', 'commands_sent', 'bytes_sent', 'writes', 'reads', 'connects', 'disconnects', 'timeouts',
];
same([], array_diff($names, array_keys($m)), 'missing');
same(array_fill_keys(array_keys($m), 0), $m, 'at the start');
echo "done\n";
--EXPECT--
done
