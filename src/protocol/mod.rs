//! memcached's text protocol, both dialects: bytes in, values out. No sockets, clock or locks.
//!
//! * [`key`]: what a key may be, and how it is checked in one pass.
//! * [`ttl`]: relative lifetimes and their wire form.
//! * [`number`]: the decimal numbers of the protocol.
//! * [`request`]: the commands, whatever the dialect.
//! * [`meta`] and [`classic`]: how each dialect spells them.
//! * [`reply`]: incremental decoding of everything a server answers.
//! * [`fastlz`]: values as PECL memcached compresses them.

pub mod classic;
pub mod fastlz;
pub mod key;
pub mod meta;
pub mod number;
pub mod reply;
pub mod request;
pub mod ttl;
