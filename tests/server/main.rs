//! Against real programs: memcached, proxies, PECL; and stand-ins for servers that can't be had.

mod counters;
mod memory_parity;
mod restart;
mod ring_pecl;
#[path = "../support/mod.rs"]
mod support;
