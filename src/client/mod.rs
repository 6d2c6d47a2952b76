//! (room not furnished yet)

pub mod config;
pub mod endpoint;
pub mod memory;
pub mod ring;
