//! The core through its public surface: no PHP, no server.

mod config;
mod memory;
mod ring;
mod ring_vectors;
