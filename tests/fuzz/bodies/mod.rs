//! What the fuzz targets do with the bytes they are given; `tests/core/hostile_corpus.rs` does the same on stable Rust
//! with what is kept in `corpus/`. They assert what must hold for any bytes, not just that nothing panics.

#![allow(dead_code, reason = "each fuzz target uses one of them")]

pub mod config;
pub mod connection;
pub mod fastlz;
pub mod keys;
pub mod reply;

/// Decisions taken from bytes, one after the other.
pub struct Feed<'a>(pub &'a [u8]);

impl<'a> Feed<'a> {
    /// The next byte; `None` at the end.
    pub fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The next byte, 0 at the end.
    pub fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    /// So many bytes as the next one says, or those that are left.
    pub fn bytes(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }
}
