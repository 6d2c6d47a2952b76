--TEST--
DSNs for hosts, sockets and memory:
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

same(
    ['10.0.0.1:11212', '10.0.0.2:11213'],
    array_keys((new WRStats('memcached://10.0.0.1:11212,10.0.0.2:11213?timeout=0.2'))->servers()),
    'two hosts',
);
same(['/run/memcached.sock'], array_keys((new WRStats('memcached:///run/memcached.sock'))->servers()), 'socket');
same(1, (new WRStats('memory:'))->incrAndGet('x'), 'memory:');
same(1, (new WRStats('memcached://' . server() . '?timeout=2&connect_timeout=1'))->incrAndGet(k()), 'a real one');
same('1', raw()->get(k()), 'held by the server');
echo "done\n";
--EXPECT--
done
