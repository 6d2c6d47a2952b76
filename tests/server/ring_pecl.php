<?php
/*
 * Asks PECL memcached which server each key is on.
 *
 * In (stdin): a line of keys in hex, separated by spaces; then a line per server set,
 *   "ketama" or "modula" followed by " host|port|weight" for each server.
 * Out: for each set, the index of each key's server as 16 bits, little-endian.
 * Exit status 77: there is no PECL memcached.
 */
if (!class_exists('Memcached')) {
    exit(77);
}
$keys = array_map('hex2bin', explode(' ', trim(fgets(STDIN))));
while (($line = fgets(STDIN)) !== false) {
    $servers = explode(' ', trim($line));
    $memcached = new Memcached();
    if (array_shift($servers) === 'ketama') {
        $memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
    }
    $indexes = [];
    foreach ($servers as $index => $server) {
        [$host, $port, $weight] = explode('|', $server);
        // A socket's port is what the two methods make of it: 0, or 11211.
        $added = $host[0] === '/' && $port === '11211'
            ? $memcached->addServer($host, 0, (int)$weight)
            : $memcached->addServers([[$host, (int)$port, (int)$weight]]);
        $added || exit(1);
        $indexes["$host|$port"] = $index;
    }
    $out = '';
    foreach ($keys as $key) {
        $server = $memcached->getServerByKey($key);
        if (!$server) {
            fwrite(STDERR, bin2hex($key) . ': ' . $memcached->getResultMessage() . "\n");
            exit(1);
        }
        $out .= pack('v', $indexes["{$server['host']}|{$server['port']}"]);
    }
    echo $out;
}
