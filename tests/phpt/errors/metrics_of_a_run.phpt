--TEST--
the books of a run that went well
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$server = \WRStats\Tests\Server::tcp();
$w = new WRStats(['servers' => [$server->address]]);
foreach ([1, 2] as $round) {
    for ($i = 0; $i < 300; $i++) {
        $w->incr('n' . $i % 100);
    }
    check_books($w, "queued, round $round");
    $w->flush();
    check_books($w, "flushed, round $round");
    same(true, $w->sync(), 'sync');
    check_books($w, "confirmed, round $round");
}
$m = $w->metrics();
// Two keys may get in each other's way when merging: that costs a command, never a count.
between(360, 400, $m['merged'], 'merged');
$commands = 600 - $m['merged'];
same([600, $commands, $commands, $commands], [$m['calls'], $m['queued'], $m['sent'], $m['confirmed']], 'totals');
same([0, 0, 0, 0, 0, 0, 0, 0], [$m['refused'], $m['pending'], $m['dropped'], $m['in_flight'], $m['unverified'], $m['failed'], $m['lost'], $m['timeouts']], 'none of it');
same([1, 0], [$m['connects'], $m['disconnects']], 'connects, disconnects');
between($commands, $commands + 20, $m['commands_sent'], 'commands_sent');
between($commands * 10, $commands * 40, $m['bytes_sent'], 'bytes_sent');
between(1, 8, $m['writes'], 'writes');
echo "done\n";
--EXPECT--
done
