--TEST--
localhost is wherever the server listens, on IPv4 or IPv6
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

[, $port] = explode(':', \WRStats\Tests\Server::freePort());
foreach (['127.0.0.1', '::1'] as $n => $address) {
    if ($address === '::1' && @stream_socket_server('tcp://[::1]:0') === false) {
        continue; // no IPv6 on this machine
    }
    $server = proc_open(
        ['memcached', '-u', trim(shell_exec('id -un')), '-U', '0', '-m', '8', '-t', '1', '-l', $address, '-p', $port],
        [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
        $pipes,
    );
    for ($tries = 0; $tries < 200 && !($probe = @stream_socket_client('tcp://' . ($n ? "[$address]" : $address) . ":$port")); $tries++) {
        usleep(10_000);
    }
    $w = new WRStats(['servers' => ["localhost:$port"], 'persistent' => "p$n", 'timeout' => 2]);
    $from = microtime(true);
    // Both families have to be in the machine's files for the second.
    if ($address !== '::1' || preg_match('/^::1\s.*\blocalhost\b/m', file_get_contents('/etc/hosts'))) {
        same(1, $w->incrAndGet('k'), "localhost, listening on $address");
        between(0, 0.5, microtime(true) - $from, "$address: seconds");
    }
    same(2, (new WRStats(['servers' => [$n ? "[$address]:$port" : "$address:$port"]]))->incrAndGet('k', 1, 0, 2), $address);
    proc_terminate($server, 9);
    proc_close($server);
}
echo "done\n";
--EXPECT--
done
