--TEST--
what really leaves is what was asked for: every byte in every string that a script can pass
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/listener.inc';

foreach (['classic', 'meta'] as $protocol) {
    $server = new Listener(fn(string $line) => match (explode(' ', rtrim($line))[0]) {
        'mn' => "MN\r\n",
        'version' => "VERSION 1.6.18\r\n",
        'get', 'gets' => "END\r\n",
        default => '',
    });
    $config = ['servers' => [$server->address], 'protocol' => $protocol, 'noreply' => true, 'timeout' => 10, 'buffer_bytes' => 1 << 26];
    $w = new WRStats($config);
    $specs = fn($metric) => [$metric => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
    $places = [
        'incr' => fn($s) => $w->incr($s),
        'decr' => fn($s) => $w->decr($s),
        'incrMulti' => fn($s) => $w->incrMulti(["k$s" => 2]),
        'delete' => fn($s) => $w->delete($s, true),
        'touch' => fn($s) => $w->touch($s, 60, true),
        'set' => fn($s) => $w->set($s, '1', 0, 0, true),
        'get' => fn($s) => $w->get($s),
        'getMulti' => fn($s) => $w->getMulti(['a', $s]),
        'prefix' => fn($s) => (new WRStats(['prefix' => $s] + $config))->incr('k'),
        'route' => fn($s) => (new WRStats(['route' => "/a$s/b/"] + $config))->incr('k'),
        'keyspace' => fn($s) => (new WRStats(['keyspace' => $s] + $config))->createWriter($specs('m'))->incr('m'),
        'DSN' => fn($s) => (new WRStats("memcached://$server->address?noreply=1&timeout=10&buffer_bytes=67108864&protocol=$protocol&prefix=" . rawurlencode($s)))->incr('k'),
        'metric' => fn($s) => $w->createWriter($specs($s))->incr($s),
        'stats prefix' => fn($s) => $w->createWriter($specs('m'), [$s, 'p'])->incr('m'),
        'component' => fn($s) => $w->createWriter($specs('m'))->incr('m', [$s, 5]),
        'global component' => fn($s) => $w->createWriter($specs('m'))->incr('m', WRStats\EntityKey::global($s)),
        'sequence' => fn($s) => $w->createWriter(['m' => ['sequences' => [['name' => $s, 'timeStep' => 3600, 'expiry' => 7200]]]])->incr('m'),
        'condition' => fn($s) => $w->createRateLimiter([$s => ['limit' => 5, 'window' => 60]])->incr($s, [$s]),
    ];
    foreach ($places as $where => $call) {
        for ($byte = 0; $byte < 256; $byte++) {
            foreach ([chr($byte), 'a' . chr($byte) . "b\r\nflush_all\r\n"] as $text) {
                try {
                    $call($text);
                } catch (ValueError $e) {
                    same(0, preg_match('/[^\x20-\x7e]/', $e->getMessage()), "$where, byte $byte: a message that can't be shown");
                }
            }
        }
    }
    $w->flush();
    $w->get('end');
    unset($w);
    $lines = explode("\r\n", $server->heard());
    same('', array_pop($lines), "$protocol: ends in a line end");
    $key = '[\x21-\x7e\x80-\xff]{1,250}';
    $command = "incr $key \d+ noreply|decr $key \d+ noreply|(add|set) $key \d+ \d+ \d+ noreply|delete $key noreply"
        . "|touch $key \d+ noreply|gets? $key( $key)*|ma $key [NJDM\dD ]*q|ms $key 1 T\d+( \w+)* q|md $key q|mn|version|\d+";
    $seen = [];
    foreach ($lines as $line) {
        same(1, preg_match("/^($command)$/D", $line), "$protocol: " . addcslashes($line, "\0..\37\177..\377"));
        $seen[strtok($line, ' ')] = true;
    }
    between(4000, 100_000, count($lines), "$protocol: lines seen");
    foreach ($protocol === 'meta' ? ['ma', 'md', 'ms', 'get'] : ['incr', 'add', 'decr', 'set', 'delete', 'touch', 'get'] as $verb) {
        same(true, isset($seen[$verb]), "$protocol: $verb was seen");
    }
}
echo "done\n";
--EXPECT--
done
