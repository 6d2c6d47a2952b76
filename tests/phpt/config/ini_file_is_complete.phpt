--TEST--
wrstats.ini documents every setting with the default it has
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

preg_match_all('/^;(wrstats\.\w+) = "?([^"\n]*)"?$/m', file_get_contents(__DIR__ . '/../../../wrstats.ini'), $found);
$documented = array_combine($found[1], $found[2]);
ksort($documented);
$real = ini_get_all('wrstats', false);
ksort($real);
$spell = fn(array $settings) => array_map(fn($value) => match (true) {
    is_numeric($value) => (float)$value,
    in_array(strtolower($value), ['on', 'yes', 'true'], true) => 1.0,
    in_array(strtolower($value), ['off', 'no', 'false', ''], true) => 0.0,
    default => $value,
}, $settings);
same($spell($real), $spell($documented), 'wrstats.ini');
echo implode("\n", array_keys($real)), "\n";
--EXPECT--
wrstats.buffer_bytes
wrstats.connect_timeout
wrstats.distribution
wrstats.flush_interval
wrstats.noreply
wrstats.persistent
wrstats.protocol
wrstats.retry_interval
wrstats.servers
wrstats.shutdown_timeout
wrstats.timeout
