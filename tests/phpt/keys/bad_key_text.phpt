--TEST--
an error about a key names byte and position
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = new WRStats(['servers' => [\WRStats\Tests\Server::freePort()]]);
foreach (['', ' ', 'a b', "a\tb", "a\r\nb", "a\0b", "ab\x7f", str_repeat('x', 251)] as $key) {
    caught(fn() => $w->incr($key));
}
--EXPECTF--
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, %Sempty%S
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x20 at position 0 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x20 at position 1 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x09 at position 1 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x0d at position 1 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x00 at position 1 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, byte 0x7f at position 2 given
ValueError: WRStats::incr(): Argument #1 ($key) must be 1 to 250 bytes without spaces or control characters, 251 bytes given
