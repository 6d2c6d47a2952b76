<?php

/**
 * Says whether the machine is quiet enough for times to mean something: load over the last minute at most half of its
 * processors, and hardly anything running while we sleep. Waits for what building has left of it.
 * usage: php -n quiet.php WAIT [after]: waits so many seconds at most; exit code 1 when it is not. After a bench, whose own load
 * is in the average, only what runs now counts.
 */

const SHARE = 0.1;

/** Share of all processors' time that something ran, or was taken by other machines, while we slept. */
function busy(float $seconds): float
{
    $read = fn() => array_map(intval(...), array_slice(preg_split('/\s+/', file('/proc/stat')[0]), 1, 8));
    $before = $read();
    usleep((int)($seconds * 1e6));
    $spent = array_map(fn($after, $before) => $after - $before, $read(), $before);

    // user, nice, system, idle, iowait, irq, softirq, steal
    return 1 - ($spent[3] + $spent[4]) / max(1, array_sum($spent));
}

$processors = preg_match_all('/^processor/m', file_get_contents('/proc/cpuinfo'));
$bound = $processors / 2;
$until = microtime(true) + (float)($argv[1] ?? 0);
$busy = busy(2);
while (($load = sys_getloadavg()[0]) > $bound && $busy <= SHARE && microtime(true) < $until) {
    fprintf(STDERR, "\r\33[Kwrstats: a load of %.2f is going down: waiting for %.2f", $load, $bound);
    $busy = busy(2);
}
fprintf(STDERR, "\r\33[K");
printf("load %.2f of at most %.2f, %.0f %% of %d processors busy with others\n", $load, $bound, 100 * $busy, $processors);
exit($load <= $bound && $busy <= SHARE || isset($argv[2]) && $busy <= SHARE ? 0 : 1);
