//! The only system calls: sockets, waiting, clocks, names, memory.

pub mod clock;
pub mod memory;
pub mod poll;
pub mod resolve;
pub mod transport;
