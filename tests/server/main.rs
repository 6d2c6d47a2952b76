//! Against real programs: memcached, proxies, PECL.

mod ring_pecl;
