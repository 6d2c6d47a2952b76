--TEST--
a proxy that answers before it asks anybody: no value is an error, never 0
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

require __DIR__ . '/listener.inc';

// As mcrouter's AllAsyncRoute does.
$proxy = new Listener(fn(string $line) => match (explode(' ', rtrim($line))[0]) {
    'version' => "VERSION 37.0.0 mcrouter\r\n",
    'mn' => null,
    'get', 'gets' => "END\r\n",
    'add' => "NOT_STORED\r\n",
    'incr', 'decr', 'delete' => "NOT_FOUND\r\n",
    default => '',
});
$w = new WRStats(['servers' => [$proxy->address]]);
caught(fn() => $w->incrAndGet('k'));
caught(fn() => $w->incrAndGet('k', 5, 60, 100));
same(null, $w->decrAndGet('k'), 'decrAndGet');
same(null, $w->get('k'), 'get');
same([], $w->getCounters(['k']), 'getCounters');
for ($i = 0; $i < 10; $i++) {
    same(true, $w->incr("n$i"), 'incr');
}
$w->sync();
check_books($w, 'end');
same(0, $w->metrics()['lost'], 'lost');
echo "done\n";
--EXPECTF--
WRStats\%sException: %s
WRStats\%sException: %s
done
