<?php
/** usage: php run.php FOLDER MEDIAWIKI PHP-OPTION...     see run.sh */

namespace WRStats\Tests;

foreach (['Browser', 'Chapter', 'Clients', 'Expected', 'Report', 'Wiki', 'WikiServer'] as $class) {
    require __DIR__ . "/$class.php";
}

const FILTERS = 300;
/** As docs/mediawiki.md has it. Seconds. */
const CONNECT_TIMEOUT = 0.5;

[, $folder, $code] = $argv;
$report = new Report();
$report->part('A fresh wiki with ' . FILTERS . ' filters');
$wiki = Wiki::install($folder, $code, [PHP_BINARY, ...array_slice($argv, 3)]);
$wiki->addFilters(FILTERS);
foreach (['Old', 'Limited', 'Changing'] as $user) {
    $wiki->addUser($user);
}
$memcached = Server::tcp();

$counters = Chapter::settings('counters', $memcached->address);
$cache = Chapter::settings('cache', $memcached->address);
// What the wiki had before it read the chapter; the setting has another name from MediaWiki 1.42 on.
$pecl = "\$wgMemCachedServers = ['$memcached->address'];\n"
    . "\$GLOBALS[version_compare(MW_VERSION, '1.42', '<') ? 'wgStatsCacheType' : 'wgMicroStashType'] = 'memcached-pecl';\n";

/** The profiles as a server answers them, once nothing changes any more: edits are counted behind their answers. */
$profiles = function (WikiServer $server): array {
    $before = null;
    for ($tries = 0; $tries < 20; $tries++) {
        $now = $server->ask('/test/profiles?filters=' . FILTERS);
        if ($now === $before) {
            break;
        }
        $before = $now;
        usleep(100_000);
    }

    return $now;
};
$allSucceeded = function (array $edits, int $count, string $claim) use ($report): void {
    $failed = array_filter($edits, fn ($edit) => $edit['result'] !== 'Success');
    $report->check(count($edits) === $count && $failed === [], "$claim: $count edits, all succeeded", count($edits), $failed);
};
$nothingLogged = function (string $claim, WikiServer ...$servers) use ($report, $wiki): void {
    $log = $wiki->memcachedLog();
    foreach ($servers as $server) {
        $log .= $server->log();
    }
    $report->same('', $log, "$claim: nothing logged of memcached or by PHP");
};
$seconds = fn (array $edits): array => array_column($edits, 'seconds');
$median = function (array $numbers): float {
    sort($numbers);

    return $numbers[intdiv(count($numbers), 2)];
};
/** metrics() of the processes behind these servers, added up, everything answered for. */
$books = function (WikiServer ...$servers) use ($report): array {
    $sum = [];
    foreach ($servers as $server) {
        foreach ($server->ask('/test/books') as $name => $value) {
            $sum[$name] = ($sum[$name] ?? 0) + (int)$value;
        }
    }
    $adds = $sum['calls'] === $sum['refused'] + $sum['merged'] + $sum['queued']
        && $sum['queued'] === $sum['pending'] + $sum['dropped'] + $sum['sent']
        && $sum['sent'] === $sum['in_flight'] + $sum['confirmed'] + $sum['unverified'] + $sum['failed'] + $sum['lost'];
    $report->check($adds && $sum['pending'] + $sum['in_flight'] === 0, 'the books add up, nothing is open', $sum);

    return $sum;
};
$notCounted = fn (array $books): int => $books['refused'] + $books['dropped'] + $books['failed'] + $books['lost'];

// ---------------------------------------------------------------------------------------------------------------------
$report->part('Counters: three web servers set up as the chapter says, three clients at once');
$expected = new Expected(FILTERS);
$native = [$wiki->serve('native1', $counters), $wiki->serve('native2', $counters), $wiki->serve('native3', $counters)];
$old = $wiki->serve('pecl', $pecl);
$revisions = $wiki->revisions();
$warmUp = Clients::start(1, FILTERS, ...$native)->edits();
$edits = Clients::start(8, FILTERS, ...$native)->edits();
$healthy = $seconds($edits);
$expected->add([...$warmUp, ...$edits]);
$allSucceeded([...$warmUp, ...$edits], 27, 'counters');
$report->same($revisions + 27, $wiki->revisions(), 'every edit is a revision');
$ours = $profiles($native[0]);
$report->same($expected->profiles(), Expected::withoutTime($ours), 'each filter\'s count, matches and conditions equal the edits made');
$report->same($ours, $profiles($old), 'MediaWiki\'s own WRStats on PECL reads the same, times too');
$report->check($ours['group']['total-time'] > 0 && array_sum(array_column($ours, 'total-time')) > 0, 'times were counted', $ours['group']);
$report->same(0, $notCounted($books(...$native)), 'nothing was refused, dropped, lost or failed');
$nothingLogged('counters', ...$native);
$report->tell(sprintf('an edit took %.0f ms (median), %.0f ms at most', 1e3 * $median($healthy), 1e3 * max($healthy)));

// ---------------------------------------------------------------------------------------------------------------------
$report->part('Rolling change: one web server on PECL and PHP\'s WRStats, one on ours, one memcached');
$edits = Clients::start(6, FILTERS, $old, $native[0], $native[1])->edits();
$expected->add($edits);
$allSucceeded($edits, 18, 'rolling change');
$ours = $profiles($native[2]);
$report->same($expected->profiles(), Expected::withoutTime($ours), 'the profiles equal the edits made through both');
$report->same($ours, $profiles($old), 'and are the same on both');
$nothingLogged('rolling change', $old, ...$native);

// ---------------------------------------------------------------------------------------------------------------------
// MediaWiki 1.39 counts an edit once. Later ones count it when they ask whether it is allowed, and when they make it.
$limits = "\$wgRateLimits['edit'] = array_fill_keys(['user', 'newbie'], [version_compare(MW_VERSION, '1.41', '<') ? 4 : 8, 3600]);\n";
$report->part('Limits: $wgRateLimits of 4 edits an hour');
$limited = $wiki->serve('limited', $limits . $counters);
$oldLimited = $wiki->serve('pecl-limited', $limits . $pecl);
/** What becomes of six edits of a user, made on these servers in turns. */
$sixEdits = function (string $user, WikiServer ...$servers) use ($expected): array {
    $browsers = [];
    foreach ($servers as $server) {
        $browsers[] = $browser = new Browser($server->address);
        $browser->logIn($user);
    }
    $results = [];
    for ($edit = 1; $edit <= 6; $edit++) {
        $results[] = $result = strtok($browsers[$edit % count($browsers)]->edit("$user $edit", "Edit $edit"), ':');
        if ($result === 'Success') {
            $expected->add([['matching' => []]]);
        }
    }

    return $results;
};
$fourSucceed = ['Success', 'Success', 'Success', 'Success', 'ratelimited', 'ratelimited'];
$report->same($fourSucceed, $sixEdits('Old', $oldLimited), 'on PECL the fifth edit is the first to be stopped');
$report->same($fourSucceed, $sixEdits('Limited', $limited), 'on ours too');
$report->same($fourSucceed, $sixEdits('Changing', $oldLimited, $limited), 'on both in turns: four in all, then both stop');
$report->same($expected->profiles(), Expected::withoutTime($profiles($limited)), 'an edit that was stopped is in no profile');
$nothingLogged('limits', $limited, $oldLimited);
$limited->end();
$oldLimited->end();

// ---------------------------------------------------------------------------------------------------------------------
$report->part('The whole object cache, and sessions: page views, log-ins, edits');
$cached = [$wiki->serve('cached1', $counters . $cache), $wiki->serve('cached2', $counters . $cache)];
$gets = $memcached->raw()->stat('cmd_get');
$warmUp = Clients::start(1, FILTERS, ...$cached)->edits();
$clients = Clients::start(8, FILTERS, ...$cached);
$browsers = [new Browser($cached[0]->address), new Browser($cached[1]->address)];
$seen = 0;
foreach ($browsers as $i => $browser) {
    $browser->logIn(Wiki::ADMIN);
    $report->same('Success', $browser->edit("Cached $i", "Written on $i"), 'logged in, and edited');
    $expected->add([['matching' => []]]);
    foreach ([0, 1] as $page) {
        for ($view = 0; $page <= $i && $view < 4; $view++) {
            $html = (new Browser($cached[$view % 2]->address))->get("/index.php?title=Cached_$page");
            $seen += (int)str_contains($html, "Written on $page");
        }
    }
}
$report->same(12, $seen, 'page views show what was written, on both servers');
$edits = $clients->edits();
$allSucceeded([...$warmUp, ...$edits], 18, 'cache');
$healthy = [...$healthy, ...$seconds($edits)];
$expected->add([...$warmUp, ...$edits]);
$ours = $profiles($cached[0]);
$report->same($expected->profiles(), Expected::withoutTime($ours), 'the profiles equal the edits made');
$report->same($ours, $profiles($old), 'and are the same on PECL');
$report->check($memcached->raw()->stat('cmd_get') - $gets > 500, 'the cache was used', $memcached->raw()->stat('cmd_get') - $gets);
$back = $wiki->serve('back', $pecl . "\$wgMainCacheType = 'memcached-pecl';\n\$wgSessionCacheType = 'memcached-pecl';\n");
$user = $browsers[0]->at($back->address)->api(['action' => 'query', 'meta' => 'userinfo'])['query']['userinfo']['name'];
$report->same(Wiki::ADMIN, $user, 'with the lines taken out, on PECL, who was logged in still is');
$back->end();
$nothingLogged('cache', ...$cached);

$settings = $wiki->settings('eval', $counters . Chapter::settings('parameters', $memcached->address));
$printed = $wiki->maintenance('eval', [], $settings, "print_r(ObjectCache::getInstance('wrstats')->getMetrics());\n");
$report->check(str_contains($printed, '[confirmed] => 0'), 'what the chapter says to type into eval.php shows the books', $printed);

// ---------------------------------------------------------------------------------------------------------------------
$report->part('memcached killed, and restarted under edits');
// Wall time, on a machine that may be busy with other things; how often a time-out was waited for is exact.
$limit = 2 * max($healthy) + CONNECT_TIMEOUT;
$inTime = function (array $edits, int $timeouts, int $most, string $claim) use ($report, $seconds, $median, $limit): void {
    $slowest = max($seconds($edits));
    $report->check($timeouts <= $most && $slowest < $limit, sprintf(
        '%s: %d time-outs waited for, at most %d; slowest edit %.0f ms, median %.0f ms, limit %.0f ms',
        $claim,
        $timeouts,
        $most,
        1e3 * $slowest,
        1e3 * $median($seconds($edits)),
        1e3 * $limit,
    ));
};
$before = $books(...$native);
$wiki->memcachedLog();
$memcached->kill();
$expected = new Expected(FILTERS);
$clients = Clients::start(6, FILTERS, ...$native);
usleep(800_000);
$memcached->start();
$whileDown = $clients->edits();
$expected->add($whileDown);
$allSucceeded($whileDown, 18, 'while it is down, and comes back');
// A server that failed is tried again after a second, give or take.
usleep(1_500_000);
$edits = Clients::start(3, FILTERS, ...$native)->edits();
$expected->add($edits);
$allSucceeded($edits, 9, 'when it is back');
$after = $books(...$native);
$inTime($whileDown, $after['timeouts'] - $before['timeouts'], 0, 'while it is down, and comes back');
$ours = $profiles($native[0]);
$report->same(0, $notCounted($after) - $notCounted($before), 'metrics() calls nothing lost: increments waited for the server');
$report->same([0, 0], $expected->missing($ours), 'and the counters lack nothing');
$report->same($ours, $profiles($old), 'and are the same on PECL');

$report->part('memcached hangs in the middle of an edit, is killed with what it was sent, and restarted, all under edits');
$before = $books(...$native);
$wiki->stopInNextRequest($memcached->pid());
$whileHanging = Clients::start(1, FILTERS, $native[0])->edits();
$clients = Clients::start(8, FILTERS, ...$native);
usleep(700_000);
$memcached->kill();
usleep(500_000);
$memcached->start();
array_push($whileHanging, ...$clients->edits());
$allSucceeded($whileHanging, 25, 'while it hangs, is down, and comes back');
usleep(1_500_000);
// What it held before is gone with it.
$expected = new Expected(FILTERS);
$expected->add($whileHanging);
[$made] = $expected->missing((new Expected(FILTERS))->profiles());
$edits = Clients::start(3, FILTERS, ...$native)->edits();
$expected->add($edits);
$allSucceeded($edits, 9, 'when it is back');
$after = $books(...$native);
$ours = $profiles($native[0]);
$inTime($whileHanging, $after['timeouts'] - $before['timeouts'], count($native), 'while it hangs, is down, and comes back');
$lost = $notCounted($after) - $notCounted($before);
$report->check($lost > 0, "$lost increments are in metrics() as lost, of $made made meanwhile", $after);
[$least, $most] = $expected->missing($ours);
$report->check($least <= $lost && $lost <= $most, "what the counters lack is what metrics() calls lost: $least to $most", $lost);

// ---------------------------------------------------------------------------------------------------------------------
$report->part('memcached killed and restarted under edits, page views and log-ins with the whole cache on it');
$before = $books(...$cached, ...$native);
$clients = Clients::start(12, FILTERS, ...$cached);
$views = $failedViews = 0;
$wiki->memcachedLog();
for ($round = 0; $round < 3; $round++) {
    usleep(300_000);
    $memcached->kill();
    foreach ([0.15, 0.15, 0.15] as $wait) {
        usleep((int)(1e6 * $wait));
        $views++;
        $failedViews += (int)!str_contains((new Browser($cached[$views % 2]->address))->get('/index.php?title=Cached_0'), 'Written on 0');
    }
    $memcached->start();
}
$edits = $clients->edits();
$allSucceeded($edits, 24, 'killed three times');
$report->check(str_contains($wiki->memcachedLog(), $memcached->address), 'the log names the server');
$report->same(0, $failedViews, "$views page views in the outages show the page");
usleep(1_500_000);
$browser = new Browser($cached[0]->address);
$browser->logIn(Wiki::ADMIN);
$report->same('Success', $browser->edit('After it all', 'Text'), 'a log-in and an edit afterwards');
$after = $books(...$cached, ...$native);
$inTime($edits, $after['timeouts'] - $before['timeouts'], 0, 'killed three times');
$logged = '';
foreach ([...$cached, ...$native, $old] as $server) {
    $logged .= $server->log();
}
$report->same('', $logged, 'PHP logged nothing, in none of the servers');

// ---------------------------------------------------------------------------------------------------------------------
$report->part('A wiki without memcached: counters in its database');
$database = "\$GLOBALS[version_compare(MW_VERSION, '1.42', '<') ? 'wgStatsCacheType' : 'wgMicroStashType'] = CACHE_DB;\n";
$without = $wiki->serve('without', $database . "\$wgWRStatsServers = [];\nrequire_once '" . dirname(__DIR__, 2) . "/php/wrstats.php';\n");
$plain = $wiki->serve('plain', $database);
// The accounts that were made before anything was set up are counted there too.
$before = Expected::withoutTime($profiles($plain));
$edits = Clients::start(2, FILTERS, $without, $plain)->edits();
$expected = new Expected(FILTERS);
$expected->add($edits);
$allSucceeded($edits, 4, 'without memcached');
$ours = $profiles($without);
$added = [];
foreach (Expected::withoutTime($ours) as $name => $profile) {
    foreach ($profile as $metric => $total) {
        $added[$name][$metric] = $total - $before[$name][$metric];
    }
}
$report->same($expected->profiles(), $added, 'the profiles equal the edits made');
$report->same($ours, $profiles($plain), 'and are the same through MediaWiki\'s own WRStats');

exit($report->end() ? 0 : 1);
