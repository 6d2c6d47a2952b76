//! Against real programs: memcached, proxies, PECL; and stand-ins for servers that can't be had.

mod counters;
mod delayed;
mod errors;
mod fakes;
mod far;
mod garbled;
mod large;
mod memory_parity;
mod refused;
mod restart;
mod ring_pecl;
mod settings;
mod stopped;
#[path = "../support/mod.rs"]
mod support;
mod sync_reasons;
mod twemproxy;
