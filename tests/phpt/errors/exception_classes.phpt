--TEST--
what is thrown, and what it carries
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach ([WRStats\Exception::class, WRStats\ConnectionException::class, WRStats\ServerException::class] as $class) {
    echo $class, ' ', get_parent_class($class), "\n";
}
function thrower(): void
{
    (new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]))->get('k');
}
try {
    thrower();
} catch (RuntimeException $e) {
    echo get_class($e), "\n";
    same(__FILE__, $e->getFile(), 'file');
    same(true, $e->getLine() > 0, 'line');
    same(['get', 'thrower'], array_column($e->getTrace(), 'function'), 'trace');
    same(null, $e->getPrevious(), 'previous');
}
echo WRStats::ERROR_NONE, WRStats::ERROR_NO_RESPONSE, WRStats::ERROR_UNREACHABLE, WRStats::ERROR_UNEXPECTED, "\n";
--EXPECT--
WRStats\Exception RuntimeException
WRStats\ConnectionException WRStats\Exception
WRStats\ServerException WRStats\Exception
WRStats\ConnectionException
0123
