--TEST--
eight children and their parent count and read at the same time: nobody gets another's answer
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

const ROUNDS = 1000;
$server = \WRStats\Tests\Server::tcp();
$raw = $server->raw();
$w = new WRStats(['servers' => [$server->address]]);
$w->incrAndGet('warm');
$before = $raw->stat('total_connections');
/** @return int how many answers were wrong */
$work = function (string $who) use ($w): int {
    $wrong = 0;
    for ($i = 1; $i <= ROUNDS; $i++) {
        $wrong += $w->incrAndGet("$who:counter") !== $i;
        $w->incr("$who:background", 2, 600);
        if ($i % 4 === 0) {
            $wrong += $w->set("$who:value", "$who $i") !== true;
            $wrong += $w->getMulti(["$who:value", "$who:nothing", "$who:counter"])
                !== ["$who:value" => "$who $i", "$who:counter" => (string)$i];
            $wrong += $w->getCounters(["$who:background"]) !== ["$who:background" => 2 * $i];
        }
    }
    $m = $w->metrics();
    $wrong += !$w->sync() || $m['lost'] + $m['failed'] + $m['dropped'] > 0;

    return $wrong;
};
$children = [];
for ($child = 0; $child < 8; $child++) {
    if (($pid = pcntl_fork()) === 0) {
        exit(min(255, $work("child$child")));
    }
    $children[] = $pid;
}
same(0, $work('parent'), 'wrong answers of the parent');
foreach ($children as $child => $pid) {
    pcntl_waitpid($pid, $status);
    same(0, pcntl_wexitstatus($status), "wrong answers of child $child");
}
foreach (['parent', ...array_map(fn($child) => "child$child", range(0, 7))] as $who) {
    same((string)ROUNDS, $raw->get("$who:counter"), "$who: counter");
    same((string)(2 * ROUNDS), $raw->get("$who:background"), "$who: background");
}
same($before + 8, $raw->stat('total_connections'), 'connections');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done
