<?php

/**
 * What strace.sh counts system calls of: each piece of work is framed by writes to /dev/null, which nothing else makes here.
 * At the end all sums are checked. usage: strace.php, with 8 servers in WRSTATS_TEST_SERVERS.
 */

$null = fopen('/dev/null', 'w');
stream_set_write_buffer($null, 0);
/** $name has the awk script of strace.sh know what is allowed. */
$frame = function (string $name, callable $work) use ($null) {
    // The answers to what was before are there: the worst case for receives.
    usleep(20_000);
    fwrite($null, "begin $name");
    $work();
    fwrite($null, 'end');
};
$check = function (int|array $expected, int|array $found, string $what) {
    if ($expected !== $found) {
        fwrite(STDERR, "$what: expected " . json_encode($expected) . ', found ' . json_encode($found) . "\n");
        exit(1);
    }
};
$servers = explode(',', (string)getenv('WRSTATS_TEST_SERVERS'));
$check(8, count($servers), 'servers in WRSTATS_TEST_SERVERS');
$one = ['servers' => [$servers[0]]];
$eight = ['servers' => $servers];
// Short ones: 1,200 increments of these fit into one send.
$keys = fn(string $of, int $n) => array_map(fn($i) => "$of:$i", range(1, $n));

$request = function (array $config, array $keys) {
    return function () use ($config, $keys) {
        $stats = new WRStats($config);
        foreach ($keys as $key) {
            $stats->incr($key, 1, 60);
        }
        $stats->flush();
    };
};
foreach (['5 increments' => [$one, 5], '1200 increments' => [$one, 1200], '1200 on 8 servers' => [$eight, 1200]] as $name => [$config, $n]) {
    $keys_of = $keys(substr(md5($name), 0, 6), $n);
    $stats = new WRStats($config);
    $stats->getCounters($keys_of);
    for ($times = 0; $times < 3; $times++) {
        $frame($name, $request($config, $keys_of));
    }
    $check(true, $stats->sync(), "$name, sync()");
    $check(array_fill_keys($keys_of, 3), $stats->getCounters($keys_of), $name);
}

$stats = new WRStats($one);
$specs = ['count' => ['sequences' => [['timeStep' => 7200, 'expiry' => 86400]]]];
for ($times = 0; $times < 2; $times++) {
    $frame('100 writers', function () use ($stats, $specs) {
        for ($filter = 0; $filter < 100; $filter++) {
            $writer = $stats->createWriter($specs, 'strace');
            $writer->incr('count', ['filter', $filter]);
            $writer->flush();
        }
    });
    $frame('their flush', fn() => $stats->flush());
}
$reader = $stats->createReader($specs, 'strace');
$check(['count' => 2], $reader->total($reader->getRates(['count'], ['filter', 99], $reader->latest(14400))), 'writers');

$limiter = $stats->createRateLimiter(['edit' => ['limit' => 100, 'window' => 60]], 'strace', ['bucketCount' => 30]);
$limiter->setCurrentTime(time());
for ($times = 0; $times < 3; $times++) {
    $frame('tryIncr', fn() => $limiter->tryIncr('edit', ['someone']));
}
$check(3, $limiter->peek('edit', ['someone'], 0)->newTotal, 'tryIncr');

$read = $keys(substr(md5('1200 increments'), 0, 6), 100);
$frame('100 counters', fn() => $stats->getCounters($read));
