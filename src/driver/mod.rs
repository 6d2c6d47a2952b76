//! The only system calls: sockets, waiting, clocks, names, files, memory.

pub mod clock;
pub mod file;
pub mod memory;
pub mod poll;
pub mod resolve;
pub mod transport;
