//! Where the last command on each key is. The merge table forgets that when keys share a slot, which costs a merge; at the
//! queue's bound it would be a refusal.

use std::collections::HashMap;

use super::super::record::record;
use super::chunks::{Chunks, Place};
use crate::protocol::key;

/// Positions by the keys' whole hashes. One is believed only if what is there agrees.
#[derive(Debug, Default)]
pub(super) struct Index {
    positions: HashMap<u64, u32>,
    /// Chunk number and offset behind the last record that is in it.
    end: (u16, usize),
}

impl Index {
    /// The position of the last command on a key that hashes so.
    pub fn get(&self, hash: u64) -> Option<u32> {
        self.positions.get(&hash).copied()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        if !self.positions.is_empty() {
            *self = Index::default();
        }
    }

    /// Takes in records that have come since: those of `most` chunks, and the rest of the one where it had stopped.
    /// `head` is the oldest of all `records`.
    pub fn bring_forward(&mut self, chunks: &Chunks, head: Place, records: u64, mut most: usize) {
        let has_much_that_is_gone = self.positions.len() as u64 / 2 > records;
        let (number, offset) = self.end;
        let end = chunks.index(number).map(|chunk| Place { chunk, offset });
        let mut place = match end {
            Some(end) if end >= head && !has_much_that_is_gone => end,
            _ => {
                self.positions.clear();
                // For a queue that fills its other half with the like.
                self.positions.reserve(2 * records as usize);
                head
            }
        };
        loop {
            let chunk = chunks.get(place.chunk);
            if place.offset < chunk.len {
                let (command, size) = record(chunk.from(place.offset));
                if let Some(hash) = key::scan(command.key) {
                    self.positions.insert(hash, chunks.position(place));
                }
                place.offset += size;
            } else if place.chunk < chunks.last() && most > 0 {
                place = place.next_chunk();
                most -= 1;
            } else {
                break;
            }
        }
        self.end = (chunks.number(place.chunk), place.offset);
    }
}
