--TEST--
lastError() is about the last call on its own handle
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$bad = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
$good = client();
same([null, 0], [$bad->lastError(), $bad->lastErrorCode()], 'before any call');
$bad->getMulti(['k']);
same(WRStats::ERROR_UNREACHABLE, $bad->lastErrorCode(), 'after getMulti');
same([null, 0], [$good->lastError(), $good->lastErrorCode()], 'another handle');
raw()->set(k(), 'abc');
try {
    $good->incrAndGet(k());
    echo "answered\n";
} catch (WRStats\ServerException $e) {
    same(WRStats::ERROR_UNEXPECTED, $good->lastErrorCode(), 'after a server error');
    same(true, is_string($good->lastError()), 'lastError');
}
$sibling = client();
same([null, 0], [$sibling->lastError(), $sibling->lastErrorCode()], 'a handle on the same pool');
same('abc', $good->get(k()), 'a good call');
same([null, 0], [$good->lastError(), $good->lastErrorCode()], 'after a good call');
echo "done\n";
--EXPECT--
done
