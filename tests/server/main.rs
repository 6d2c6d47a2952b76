//! Against real programs: memcached, proxies, PECL.

mod memory_parity;
mod ring_pecl;
