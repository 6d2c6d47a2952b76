//! `wrstats`: fire-and-forget counters, write-read statistics and rate limits on memcached.
//!
//! The rooms, and who may know whom (arrows go one way; `tests/core/arrows.rs` keeps them):
//!
//! ```text
//! php → stats → client → { driver → connection → protocol }
//! ```
//!
//! * [`protocol`]: bytes in, values out. No sockets, clock or locks.
//! * [`connection`]: one connection's state machine; time is passed in.
//! * [`driver`]: the only system calls.
//! * [`client`]: servers, routing, pools and their books.
//! * [`stats`]: write-read statistics and rate limits over a four-method store.
//! * `php`: the PHP extension (feature `php`).

pub mod client;
pub mod connection;
pub mod driver;
#[cfg(feature = "php")]
mod php;
pub mod protocol;
pub mod stats;
