<?php

/**
 * Rate limits: ours, the frameworks' own on PECL memcached, and the frameworks' on the bridges in php/. One caller, who is
 * let through; each counts every try. usage: with-memcached.sh bench.sh limiters
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/../support/php/autoload.php';

use Illuminate\Cache\MemcachedStore;
use Illuminate\Cache\RateLimiter as LaravelLimiter;
use Illuminate\Cache\Repository;
use Symfony\Component\Cache\Adapter\MemcachedAdapter;
use Symfony\Component\RateLimiter\RateLimiterFactory;
use Symfony\Component\RateLimiter\Storage\CacheStorage;

const LIMIT = 1_000_000;
const TRIES = 30;

$findings = new Findings('limiters');
$address = getenv('WRSTATS_TEST_SERVER');
$id = 'limiters-' . bin2hex(random_bytes(4));
$stats = new WRStats(['servers' => [$address]]);
$limits = ['try' => ['limit' => LIMIT, 'window' => 600]];
$ours = $stats->createRateLimiter($limits, $id);
$strict = $stats->createRateLimiter($limits, "$id-strict", ['strict' => true]);
/** As Laravel's middleware and RateLimiter::attempt() do it: a look, then a hit. */
$laravel = fn(object $store) => (function () use ($store, $id) {
    $limiter = new LaravelLimiter(new Repository($store));

    return function () use ($limiter, $id): int {
        check(false, $limiter->tooManyAttempts($id, LIMIT), 'Laravel, too many');

        return $limiter->hit($id, 600);
    };
})();
// Each answers how many tries it has counted so far.
$symfony = fn(object $limiter) => fn(): int => LIMIT - $limiter->consume()->getRemainingTokens();
$try = fn(object $limiter) => fn(): int => $limiter->tryIncr('try', ['someone'])->newTotal;
$bridge = new WRStats\Symfony\LimiterFactory($stats, "$id-bridge", LIMIT, 600);
$works = [
    'wrstats, tryIncr()' => $try($ours),
    'wrstats, tryIncr(), strict' => $try($strict),
    'symfony/rate-limiter\'s interface on wrstats' => $symfony($bridge->create('someone')),
    'Laravel\'s RateLimiter on wrstats' => $laravel(new WRStats\Laravel\Store($stats, "$id-bridge")),
];
if (extension_loaded('memcached')) {
    $pecl = new Memcached();
    $pecl->addServer(...explode(':', $address));
    $pecl->setOption(Memcached::OPT_TCP_NODELAY, true);
    $works['Laravel\'s RateLimiter on PECL memcached'] = $laravel(new MemcachedStore($pecl, "$id-pecl"));
    if (stream_resolve_include_path('Symfony/Component/Cache/autoload.php')) {
        require_once 'Symfony/Component/Cache/autoload.php';
        $binary = MemcachedAdapter::createConnection("memcached://$address", ['binary_protocol' => false, 'tcp_nodelay' => true]);
        $storage = new CacheStorage(new MemcachedAdapter($binary));
        $factory = new RateLimiterFactory(['id' => $id, 'policy' => 'sliding_window', 'limit' => LIMIT, 'interval' => '600 seconds'], $storage);
        // It keeps no lock here, so callers at the same moment may pass together; with one it takes two more round trips.
        $works['symfony/rate-limiter on PECL memcached'] = $symfony($factory->create('someone'));
    } else {
        $findings->missing('symfony/rate-limiter on PECL memcached: php-symfony-cache is not installed');
    }
}
$peers = [];
foreach ($works as $name => $work) {
    $peers[$name] = function () use ($work): int {
        for ($i = 0; $i < TRIES; $i++) {
            $count = $work();
        }

        return $count;
    };
}
$counts = array_fill_keys(array_keys($works), 0);
$times = race('limits', $peers, TRIES, function (string $name, int $number, int $counted) use (&$counts): int {
    [$before, $counts[$name]] = [$counts[$name], $counted];

    return TRIES - ($counted - $before);
});
$medians = $findings->table('One more try under a limit', 'one try', $times, 'wall', note: 'Ours counts 30 time steps of a sliding window; '
    . 'Symfony\'s sliding window has two, Laravel\'s window is fixed.');
foreach (['Laravel\'s RateLimiter on PECL memcached' => 'Laravel\'s RateLimiter on wrstats',
    'symfony/rate-limiter on PECL memcached' => 'symfony/rate-limiter\'s interface on wrstats'] as $theirs => $ours) {
    if (isset($medians[$theirs])) {
        $findings->wanted("one more try: $theirs / $ours", $medians[$theirs] / $medians[$ours], '>=', 1);
    }
}
