//! Against real programs: memcached, proxies, PECL.

mod counters;
mod memory_parity;
mod ring_pecl;
#[path = "../support/mod.rs"]
mod support;
