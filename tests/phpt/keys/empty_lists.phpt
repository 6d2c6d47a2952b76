--TEST--
an empty list is answered without the network
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
var_dump($w->getMulti([]), $w->getCounters([]), $w->incrMulti([]), $w->setMulti([]), $w->deleteMulti([]), $w->touchMulti([], 5));
var_dump($w->lastErrorCode(), $w->lastError(), $w->metrics()['calls']);
--EXPECT--
array(0) {
}
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
NULL
int(0)
