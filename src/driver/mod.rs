//! The only system calls: sockets, waiting, clocks, names.

pub mod clock;
pub mod poll;
pub mod resolve;
pub mod transport;
