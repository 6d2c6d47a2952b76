--TEST--
memory: has no errors of the network
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats('memory:');
$w->incr('k');
var_dump($w->flush(), $w->sync(), $w->lastError(), $w->lastErrorCode());
check_books($w, 'memory:');
$w->set('abc', 'abc');
try {
    $w->incrAndGet('abc');
    echo "answered\n";
} catch (WRStats\ServerException $e) {
    echo $e->getCode(), "\n";
}
--EXPECT--
bool(true)
bool(true)
NULL
int(0)
3
