//! Ports for servers that have to be told one.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below those that the kernel gives out by itself, to listeners and connections.
const FIRST: u32 = 20_000;
const COUNT: u32 = 12_000;

/// A port of 127.0.0.1 that nothing listens on, and that this process was not given before: a server needs
/// a moment to take it.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(997);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        assert!(next < COUNT, "no port is free");
        let port = (FIRST + start.wrapping_add(next) % COUNT) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
