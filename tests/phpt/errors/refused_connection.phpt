--TEST--
nothing listens: waiting calls throw, multi-key calls tell, background calls don't
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$address = \WRStats\Tests\Server::freePort();
$w = new WRStats(['servers' => [$address]]);
$calls = [
    'get' => fn() => $w->get('k'),
    'incrAndGet' => fn() => $w->incrAndGet('k'),
    'decrAndGet' => fn() => $w->decrAndGet('k'),
    'set' => fn() => $w->set('k', 'v'),
    'add' => fn() => $w->add('k', 'v'),
    'replace' => fn() => $w->replace('k', 'v'),
    'cas' => fn() => $w->cas(1, 'k', 'v'),
    'delete' => fn() => $w->delete('k'),
    'touch' => fn() => $w->touch('k', 5),
];
foreach ($calls as $name => $call) {
    try {
        $call();
        echo "$name answered\n";
    } catch (WRStats\ConnectionException $e) {
        same(WRStats::ERROR_UNREACHABLE, $e->getCode(), "$name: code");
        same($address, $e->getServer(), "$name: getServer");
        same(WRStats::ERROR_UNREACHABLE, $w->lastErrorCode(), "$name: lastErrorCode");
        same(true, str_contains($e->getMessage(), $address), "$name: {$e->getMessage()}");
    }
}
foreach (['getMulti', 'getCounters'] as $name) {
    same([], $w->$name(['k']), $name);
    same(WRStats::ERROR_UNREACHABLE, $w->lastErrorCode(), $name);
    same(true, is_string($w->lastError()), "$name: lastError");
}
same(false, $w->setMulti(['k' => 'v']), 'setMulti');
same(false, $w->deleteMulti(['k']), 'deleteMulti');
same(false, $w->touchMulti(['k'], 5), 'touchMulti');
same(true, $w->incr('k'), 'incr is queued');
same(false, $w->flush(), 'flush: it stays queued');
same(false, $w->sync(), 'sync');
check_books($w, 'end');
same(1, $w->metrics()['pending'], 'pending');
echo "done\n";
--EXPECT--
done
