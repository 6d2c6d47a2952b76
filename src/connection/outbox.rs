//! The bounded queue of background writes, in which increments merge.
//!
//! Commands wait as records and get their wire form only when they are sent: by then the
//! dialect is known, the boundaries are exact, and a merge never has to patch digits.
//!
//! Records (see [`record`](super::record)) lie in chunks, so that a backlog gives its memory back. A position
//! (16 bits of chunk number, 15 of offset) names one while it is queued; the merge table maps a
//! slot of the key's hash to the position of the last command on a key of that slot. An entry
//! is believed only if its position is still queued and the record's bytes agree, so the table
//! needs no clearing, and a collision costs a merge, never a wrong one. At its bound the queue has an
//! index of all keys, since what can't be merged would be refused there; it is made bit by bit from
//! half of the bound on.

use std::collections::{HashMap, HashSet, VecDeque};

use super::record::{HEAD, HEADER, KIND_AT, Kind, fields, header, merge, record, u64_at};

use crate::protocol::key::{self, KeyError, Parts};
use crate::protocol::reply::MAX_VALUE;
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

/// Bytes of records in one chunk; a record longer than that has a chunk of its own.
const CHUNK: usize = 32 << 10;
/// Chunk numbers have 16 bits, and some distance must stay between the newest and the oldest.
const MAX_CHUNKS: usize = 60_000;
/// More chunks than that are a backlog.
const USUAL_CHUNKS: usize = 32;
/// Chunks of a backlog whose memory is worth giving back to the system: 4 MiB.
const BURST: usize = 128;
const SLOTS: usize = 2048;
/// Set in every table entry, so that a zeroed slot names nothing.
const TAKEN: u64 = 1 << 15;

/// What became of a command given to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// A record of its own.
    New,
    /// Added to one already queued.
    Merged,
    /// Refused: the queue is at its bound.
    Full,
}

/// An increment that is not routed yet.
#[derive(Clone, Copy, Debug)]
pub struct Staged<'a> {
    /// It, with its whole wire key.
    pub command: Command<'a>,
    /// How many bytes of the key are the head.
    pub head: usize,
    hash: u64,
}

impl<'a> Staged<'a> {
    /// The key that decides where it goes.
    pub fn routed_key(&self) -> &'a [u8] {
        &self.command.key[self.head..]
    }
}

/// Bytes of the hash behind the record of a staged increment.
const HASH: usize = 8;

/// A place in the queue: index of the chunk (from the front; the tail's is the number of full
/// ones) and offset in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    chunk: usize,
    offset: usize,
}

/// Records, one behind the other.
#[derive(Debug, Default)]
struct Chunk {
    bytes: Box<[u8]>,
    len: usize,
}

impl Chunk {
    fn with_room(size: usize) -> Self {
        Chunk {
            bytes: vec![0; size.max(CHUNK)].into(),
            len: 0,
        }
    }

    /// Ready for other records, if it is of the usual size.
    fn emptied(self) -> Option<Self> {
        let bytes = self.bytes;
        (bytes.len() == CHUNK).then_some(Chunk { bytes, len: 0 })
    }

    /// The records from `offset` on.
    #[inline]
    fn from(&self, offset: usize) -> &[u8] {
        &self.bytes[offset..self.len]
    }
}

/// The position of the last command on each key, by the key's whole hash. Entries are believed as those
/// of the merge table are.
#[derive(Debug, Default)]
struct Index {
    positions: HashMap<u64, u32>,
    /// Chunk number and offset behind the last record that is in it.
    end: (u16, usize),
}

/// See the [module](self).
#[derive(Debug)]
pub struct Outbox {
    /// The chunks before the tail.
    full: VecDeque<Chunk>,
    tail: Chunk,
    /// An empty chunk of the usual size, for the next that is needed.
    spare: Option<Chunk>,
    /// Number of the front chunk.
    first: u16,
    /// The oldest record of which no byte was sent.
    head: Place,
    /// The oldest record without a wire form. Those before it don't merge any more.
    next: Place,
    /// Where in the tail the newest record is, if it has no wire form yet; else [`NONE`].
    newest: usize,
    table: Box<[u64]>,
    /// Of a queue at its bound.
    index: Index,
    bytes: usize,
    limit: usize,
    records: u64,
    /// Whether value writes or touches may be queued; only if so is the queue gone through for
    /// them when the server is marked down, as it is once per attempt to connect.
    overwriting: bool,
    /// Whether records tell how much of their key is the head, in which what merges must then agree,
    /// and end in the hash of their key.
    is_stage: bool,
    /// Whether there has been a backlog of [`BURST`] chunks lately.
    had_burst: bool,
    /// Of the records between `head` and `next`.
    encoded: Totals,
}

const NONE: usize = usize::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    bytes: usize,
    records: u64,
}

impl Outbox {
    /// An empty queue of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Outbox {
            full: VecDeque::new(),
            tail: Chunk::default(),
            spare: None,
            first: 1,
            head: Place::default(),
            next: Place::default(),
            newest: NONE,
            table: Box::default(),
            index: Index::default(),
            bytes: 0,
            limit,
            records: 0,
            overwriting: false,
            is_stage: false,
            had_burst: false,
            encoded: Totals::default(),
        }
    }

    /// As [`new`](Self::new), for increments that have to be routed yet: [`staged`](Self::staged)
    /// tells how their keys were cut in two, and what they hash to.
    pub fn staging(limit: usize) -> Self {
        Outbox {
            is_stage: true,
            ..Outbox::new(limit)
        }
    }

    /// Whether a big backlog has gone since this was asked last: its chunks are freed, but lie
    /// between others where the allocator may keep them.
    pub fn is_past_a_burst(&mut self) -> bool {
        let past = self.had_burst && self.full.len() < BURST;
        self.had_burst &= !past;
        past
    }

    /// Commands of which no byte was sent.
    pub fn pending(&self) -> u64 {
        self.records
    }

    /// Bytes they take here.
    pub fn pending_bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes of those without a wire form yet.
    #[inline]
    pub fn unencoded_bytes(&self) -> usize {
        self.bytes - self.encoded.bytes
    }

    /// Whether commands of so many bytes will be taken.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.bytes + bytes <= self.limit && self.full.len() + 2 + bytes / CHUNK <= MAX_CHUNKS
    }

    /// Queues an increment, or adds it to a queued one.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<Queued, KeyError> {
        if self.merge_into_newest(Kind::Incr, key, step, ttl) {
            return Ok(Queued::Merged);
        }
        if init == step {
            self.push(Kind::Incr, key, step, ttl, &[])
        } else {
            self.push(Kind::IncrInit, key, step, ttl, &init.to_le_bytes())
        }
    }

    /// Queues an increment that was [`staged`](Self::staged) elsewhere, where its key was checked.
    pub fn unstage(&mut self, staged: &Staged<'_>) -> Queued {
        let Action::Incr { step, ttl, init } = staged.command.action else {
            unreachable!("only increments are staged");
        };
        let key = Parts::bare(staged.command.key);
        let copy = |to: &mut [u8]| {
            to.copy_from_slice(staged.command.key);
            Some(staged.hash)
        };
        let queued = if init == step {
            self.push_with(Kind::Incr, key, step, ttl, &[], copy)
        } else {
            self.push_with(Kind::IncrInit, key, step, ttl, &init.to_le_bytes(), copy)
        };
        queued.unwrap_or(Queued::Full)
    }

    /// Queues any command. CAS has no background form, as its answer is its purpose: it is
    /// refused, and so are values longer than [`MAX_VALUE`].
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    pub fn queue(&mut self, key: Parts<'_>, action: &Action<'_>) -> Result<Queued, KeyError> {
        match *action {
            Action::Incr { step, ttl, init } => self.incr(key, step, ttl, init),
            Action::Decr { step } => {
                if self.merge_into_newest(Kind::Decr, key, step, Ttl::FOREVER) {
                    return Ok(Queued::Merged);
                }
                self.push(Kind::Decr, key, step, Ttl::FOREVER, &[])
            }
            Action::Delete => self.push(Kind::Delete, key, 0, Ttl::FOREVER, &[]),
            Action::Touch { ttl } => self.push(Kind::Touch, key, 0, ttl, &[]),
            Action::Store {
                mode,
                flags,
                ttl,
                value,
            } => {
                let kind = match mode {
                    StoreMode::Set => Some(Kind::Set),
                    StoreMode::Add => Some(Kind::Add),
                    StoreMode::Replace => Some(Kind::Replace),
                    StoreMode::Cas(_) => None,
                };
                let (Some(kind), ..=MAX_VALUE) = (kind, value.len()) else {
                    return key.check().map(|()| Queued::Full);
                };
                let sizes = u64::from(flags) << 32 | value.len() as u64;
                self.push(kind, key, sizes, ttl, value)
            }
        }
    }

    /// What the header of a record of this command has besides the step.
    #[inline(always)]
    fn fields(&self, kind: Kind, ttl: Ttl, key: Parts<'_>) -> u64 {
        fields(
            kind,
            ttl,
            key,
            if self.is_stage { key.head.len() } else { 0 },
        )
    }

    /// The tight loop's case: the same key as in the call before.
    #[inline(always)]
    fn merge_into_newest(&mut self, kind: Kind, key: Parts<'_>, step: u64, ttl: Ttl) -> bool {
        let fields = self.fields(kind, ttl, key);
        match self.tail.bytes.get_mut(self.newest..) {
            Some(record) => merge(record, fields, key, step),
            None => false,
        }
    }

    #[inline]
    fn push(
        &mut self,
        kind: Kind,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        more: &[u8],
    ) -> Result<Queued, KeyError> {
        self.push_with(kind, key, step, ttl, more, |to| key.scan_into(to))
    }

    /// `scan` writes the key and answers its hash, or `None` for a bad one.
    #[inline(always)]
    fn push_with(
        &mut self,
        kind: Kind,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        more: &[u8],
        scan: impl FnOnce(&mut [u8]) -> Option<u64>,
    ) -> Result<Queued, KeyError> {
        let len = key.len();
        if key.key.is_empty() || len > key::MAX_LEN {
            return Err(key.fault());
        }
        let fields = self.fields(kind, ttl, key);
        let end = HEADER + len + more.len();
        let size = end + if self.is_stage { HASH } else { 0 };
        if self.tail.bytes.len() - self.tail.len < size && !self.make_room(size) {
            return self.push_when_full(kind, key, step, ttl);
        }
        let offset = self.tail.len;
        let wire_at = offset + HEADER;
        let Some(hash) = scan(&mut self.tail.bytes[wire_at..wire_at + len]) else {
            return Err(key.fault());
        };
        let slot = hash as usize % SLOTS;
        let tag = (hash >> 32) << 32;
        let mergeable = matches!(kind, Kind::Incr | Kind::IncrInit | Kind::Decr);
        let entry = self.table[slot];
        if (entry ^ tag) >> 32 == 0 && mergeable && self.merge_at(entry, fields, key, step) {
            return Ok(Queued::Merged);
        }
        if self.bytes + size > self.limit {
            return self.push_when_full(kind, key, step, ttl);
        }
        let record = &mut self.tail.bytes[offset..offset + size];
        record[..HEADER].copy_from_slice(&header(step, fields));
        if !more.is_empty() {
            record[HEADER + len..end].copy_from_slice(more);
        }
        if self.is_stage {
            record[end..].copy_from_slice(&hash.to_le_bytes());
        }
        // What can't be merged with takes the slot too, or later increments would overtake it.
        self.table[slot] = if mergeable {
            tag | u64::from(self.position(self.full.len(), offset))
        } else {
            self.overwriting |= kind != Kind::Delete;
            0
        };
        self.newest = offset;
        self.tail.len += size;
        self.bytes += size;
        self.records += 1;
        Ok(Queued::New)
    }

    /// Merging takes no room, so a full queue still does it.
    #[cold]
    #[inline(never)]
    fn push_when_full(
        &mut self,
        kind: Kind,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
    ) -> Result<Queued, KeyError> {
        key.check()?;
        // What is staged is dealt out then, and merges where it belongs.
        if self.is_stage || !matches!(kind, Kind::Incr | Kind::IncrInit | Kind::Decr) {
            return Ok(Queued::Full);
        }
        let mut wire = [0; key::MAX_LEN];
        let hash = key
            .scan_into(&mut wire[..key.len()])
            .ok_or_else(|| key.fault())?;
        self.bring_index_forward(usize::MAX);
        let fields = self.fields(kind, ttl, key);
        match self.index.positions.get(&hash).copied() {
            Some(entry) if self.merge_at(entry.into(), fields, key, step) => Ok(Queued::Merged),
            _ => Ok(Queued::Full),
        }
    }

    /// What the merge table and the index call the record there.
    #[inline]
    fn position(&self, chunk: usize, offset: usize) -> u32 {
        let number = self.first.wrapping_add(chunk as u16);
        u32::from(number) << 16 | TAKEN as u32 | offset as u32
    }

    /// Takes records that have come since into the index: those of so many chunks, and the rest of one.
    fn bring_index_forward(&mut self, mut chunks: usize) {
        let mut index = std::mem::take(&mut self.index);
        let (number, offset) = index.end;
        let mut place = Place {
            chunk: usize::from(number.wrapping_sub(self.first)),
            offset,
        };
        let has_much_that_is_gone = index.positions.len() as u64 / 2 > self.records;
        if place.chunk > self.full.len() || place < self.head || has_much_that_is_gone {
            place = self.head;
            index.positions.clear();
            // For a queue that fills its other half with the like.
            index.positions.reserve(2 * self.records as usize);
        }
        loop {
            let chunk = self.full.get(place.chunk).unwrap_or(&self.tail);
            if place.offset < chunk.len {
                let (command, size) = record(chunk.from(place.offset));
                if let Some(hash) = key::scan(command.key) {
                    let position = self.position(place.chunk, place.offset);
                    index.positions.insert(hash, position);
                }
                place.offset += size;
            } else if place.chunk < self.full.len() && chunks > 0 {
                place = Place {
                    chunk: place.chunk + 1,
                    offset: 0,
                };
                chunks -= 1;
            } else {
                break;
            }
        }
        index.end = (self.first.wrapping_add(place.chunk as u16), place.offset);
        self.index = index;
    }

    /// Merges into the record that a table entry names, if it is there and can still merge.
    #[inline(never)]
    fn merge_at(&mut self, entry: u64, fields: u64, key: Parts<'_>, step: u64) -> bool {
        if entry & TAKEN == 0 {
            return false;
        }
        let number = (entry >> 16) as u16;
        let place = Place {
            chunk: usize::from(number.wrapping_sub(self.first)),
            offset: (entry & (TAKEN - 1)) as usize,
        };
        if place.chunk > self.full.len() || place < self.next {
            return false;
        }
        let chunk = self.full.get_mut(place.chunk).unwrap_or(&mut self.tail);
        match chunk.bytes.get_mut(place.offset..chunk.len) {
            Some(record) => merge(record, fields, key, step),
            None => false,
        }
    }

    /// Begins a new tail with room for `size` bytes. False: the queue is at its bound.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, size: usize) -> bool {
        if self.bytes + size > self.limit || self.full.len() == MAX_CHUNKS {
            return false;
        }
        if self.table.is_empty() {
            self.table = vec![0; SLOTS].into_boxed_slice();
        }
        let chunk = match self.spare.take() {
            Some(spare) if size <= CHUNK => spare,
            _ => Chunk::with_room(size),
        };
        let before = std::mem::replace(&mut self.tail, chunk);
        if before.len == 0 {
            return true;
        }
        self.full.push_back(before);
        self.newest = NONE;
        self.had_burst |= self.full.len() >= BURST;
        if self.first.wrapping_add(self.full.len() as u16) == 0 {
            self.forget_positions();
        }
        if self.bytes > self.limit / 2 {
            // Two for one that was filled: done when the bound is reached, and no call pays for all of it.
            self.bring_index_forward(2);
        }
        true
    }

    /// Numbers come round: an old entry could name a new chunk.
    fn forget_positions(&mut self) {
        self.table.fill(0);
        self.index = Index::default();
    }

    /// The increments of a [`staging`](Self::staging) queue, oldest first.
    pub fn staged(&self) -> impl Iterator<Item = Staged<'_>> {
        debug_assert!(self.is_stage && self.encoded.records == 0);
        self.full.iter().chain([&self.tail]).flat_map(|chunk| {
            let mut rest = chunk.from(0);
            std::iter::from_fn(move || {
                if rest.is_empty() {
                    return None;
                }
                let (command, end) = record(rest);
                let staged = Staged {
                    command,
                    head: usize::from((u64_at(rest, 8) >> HEAD) as u8),
                    hash: u64_at(rest, end),
                };
                rest = &rest[end + HASH..];
                Some(staged)
            })
        })
    }

    /// Gives commands their wire form, oldest first, until `encode` answers false or all have one.
    #[inline]
    pub fn encode(&mut self, encode: impl FnMut(&Command<'_>) -> bool) {
        self.encode_some(true, encode);
    }

    /// The same, but without `values` up to the first command that carries one.
    #[inline(always)]
    pub fn encode_some(&mut self, values: bool, mut encode: impl FnMut(&Command<'_>) -> bool) {
        let is_value = |kind| matches!(kind, Kind::Set | Kind::Add | Kind::Replace);
        let mut more = true;
        while more {
            let chunk = self.full.get(self.next.chunk).unwrap_or(&self.tail);
            let mut rest = chunk.from(self.next.offset);
            if rest.is_empty() {
                if self.next.chunk == self.full.len() {
                    return;
                }
                self.next = Place {
                    chunk: self.next.chunk + 1,
                    offset: 0,
                };
                continue;
            }
            self.newest = NONE;
            while more && !rest.is_empty() {
                if !values && is_value(Kind::of(rest[KIND_AT])) {
                    more = false;
                    break;
                }
                let (command, size) = record(rest);
                more = encode(&command);
                rest = &rest[size..];
                self.encoded.records += 1;
            }
            let done = chunk.len - rest.len() - self.next.offset;
            self.next.offset += done;
            self.encoded.bytes += done;
        }
    }

    /// All records with a wire form were handed to the kernel.
    pub fn release_encoded(&mut self) {
        self.bytes -= self.encoded.bytes;
        self.records -= self.encoded.records;
        self.encoded = Totals::default();
        self.head = self.next;
        self.drop_chunks();
    }

    /// The first `count` records with a wire form were handed to the kernel, in part at least.
    pub fn release(&mut self, count: u64) {
        debug_assert!(count <= self.encoded.records);
        for _ in 0..count {
            let chunk = self.full.get(self.head.chunk).unwrap_or(&self.tail);
            let size = if self.head.offset < chunk.len {
                record(chunk.from(self.head.offset)).1
            } else {
                self.head = Place {
                    chunk: self.head.chunk + 1,
                    offset: 0,
                };
                record(self.full.get(self.head.chunk).unwrap_or(&self.tail).from(0)).1
            };
            self.head.offset += size;
            self.bytes -= size;
            self.records -= 1;
            self.encoded.bytes -= size;
            self.encoded.records -= 1;
        }
        self.drop_chunks();
    }

    /// The wire forms not sent are void: the connection is gone.
    pub fn rewind(&mut self) {
        self.next = self.head;
        self.encoded = Totals::default();
    }

    fn drop_chunks(&mut self) {
        for _ in 0..self.head.chunk {
            self.spare = self.full.pop_front().and_then(Chunk::emptied);
            self.first = self.first.wrapping_add(1);
        }
        self.next.chunk -= self.head.chunk;
        self.head.chunk = 0;
        if self.records == 0 {
            self.reset();
        }
    }

    /// Empties the queue; one chunk of the usual size stays for the next records.
    fn reset(&mut self) {
        // Old entries of the table must not name places in the emptied chunk.
        let (first, came_round) = self.first.overflowing_add(self.full.len() as u16 + 1);
        self.first = first;
        if came_round {
            self.forget_positions();
        }
        self.full.clear();
        if !self.index.positions.is_empty() {
            self.index = Index::default();
        }
        let is_after_backlog = self.full.capacity() > USUAL_CHUNKS;
        if is_after_backlog {
            self.full = VecDeque::new();
        }
        // The last chunk of a backlog lies behind all others: while it stays, the allocator can't give
        // those back to the system.
        if is_after_backlog || self.tail.bytes.len() > CHUNK {
            self.tail = Chunk::default();
            self.spare = None;
        }
        self.tail.len = 0;
        self.head = Place::default();
        self.next = Place::default();
        self.newest = NONE;
        self.bytes = 0;
        self.records = 0;
        self.overwriting = false;
        self.encoded = Totals::default();
    }

    /// Gives back what only a burst needs.
    pub fn shrink(&mut self) {
        self.spare = None;
    }

    /// Gives up value writes and touches, and what is queued behind them on the same key: sent
    /// later they would overwrite newer data. Increments and removals stay.
    ///
    /// Only with no wire forms outstanding (after [`rewind`](Self::rewind)).
    pub fn drop_overwriting(&mut self) -> Dropped {
        debug_assert_eq!(self.encoded.records, 0);
        if !self.overwriting {
            return Dropped::default();
        }
        let mut kept = Outbox::new(self.limit);
        let mut tainted: HashSet<Vec<u8>> = HashSet::new();
        let mut dropped = Dropped::default();
        self.encode(|&Command { key, action }| {
            let overwrites = matches!(action, Action::Store { .. } | Action::Touch { .. });
            if overwrites {
                tainted.insert(key.to_vec());
            }
            let outcome = (!overwrites && !tainted.contains(key))
                .then(|| kept.queue(Parts::bare(key), &action));
            match outcome {
                Some(Ok(Queued::New)) => {}
                // A collision had kept the two apart.
                Some(Ok(Queued::Merged)) => dropped.merged += 1,
                _ => dropped.commands += 1,
            }
            true
        });
        *self = kept;
        dropped
    }

    /// Gives up everything. Returns how many commands that were.
    pub fn clear(&mut self) -> u64 {
        let dropped = self.records;
        self.reset();
        dropped
    }
}

/// What [`Outbox::drop_overwriting`] did to the number of commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Commands given up.
    pub commands: u64,
    /// Commands that have become part of another one.
    pub merged: u64,
}

#[cfg(test)]
mod tests;
