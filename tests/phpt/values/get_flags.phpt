--TEST--
GET_FLAGS answers value and flags with a plain get, no gets
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$w->set(k(), 'v', 60, 4294967295);
$item = ['value' => 'v', 'flags' => 4294967295];
same($item, $w->get(k(), WRStats::GET_FLAGS), 'get');
same(null, $w->get(k('missing'), WRStats::GET_FLAGS), 'missing');
same([k() => $item], $w->getMulti([k(), k('missing')], WRStats::GET_FLAGS), 'getMulti');
caught(fn() => $w->get(k(), 3));

// A server that says nothing: what it was asked with is what counts.
$listening = stream_socket_server('tcp://127.0.0.1:0');
$one = new WRStats(['servers' => [stream_socket_get_name($listening, false)], 'protocol' => 'classic', 'timeout' => 0.1]);
try {
    $one->get('a', WRStats::GET_FLAGS);
} catch (WRStats\ConnectionException) {
}
echo strtr(stream_get_contents(stream_socket_accept($listening, 1)), ["\r\n" => '|']), "\n";
--EXPECTF--
ValueError: WRStats::get(): Argument #2 ($getFlags) must be %s
%sget a|%S
