//! The bounded queue of background writes, in which increments merge.
//!
//! Commands wait as records and get their wire form only when they are sent: by then the
//! dialect is known, the boundaries are exact, and a merge never has to patch digits.
//!
//! A record is `[step u64][ttl u32][len u8][kind u8][2 spare]`, the key, and for some kinds more
//! (see [`Kind`]). Records lie in chunks, so that a backlog gives its memory back. A position
//! (16 bits of chunk number, 15 of offset) names one while it is queued; the merge table maps a
//! slot of the key's hash to the position of the last command on a key of that slot. An entry
//! is believed only if its position is still queued and the record's bytes agree, so the table
//! needs no clearing, and a collision costs a merge, never a wrong one.

use std::collections::{HashSet, VecDeque};

use crate::protocol::key::{self, KeyError, Parts};
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

/// Bytes of records in one chunk; a record longer than that has a chunk of its own.
const CHUNK: usize = 32 << 10;
/// Chunk numbers have 16 bits, and some distance must stay between the newest and the oldest.
const MAX_CHUNKS: usize = 60_000;
const SLOTS: usize = 2048;
const HEADER: usize = 16;
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

/// What a record asks for, and what follows its key.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    /// init == step; nothing follows.
    Incr = 1,
    /// init u64.
    IncrInit,
    Decr,
    Delete,
    Touch,
    /// The value; `step` holds flags (high half) and length (low half).
    Set,
    Add,
    Replace,
}

impl Kind {
    fn of(raw: u8) -> Kind {
        use Kind::*;
        match raw {
            1 => Incr,
            2 => IncrInit,
            3 => Decr,
            4 => Delete,
            5 => Touch,
            6 => Set,
            7 => Add,
            _ => Replace,
        }
    }
}

/// A place in the queue: index of the chunk (from the front) and offset in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    chunk: usize,
    offset: usize,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Outbox {
    chunks: VecDeque<Vec<u8>>,
    /// Number of the front chunk.
    first: u16,
    /// The oldest record of which no byte was sent.
    head: Place,
    /// The oldest record without a wire form. Those before it don't merge any more.
    next: Place,
    /// The newest record, if it has no wire form yet.
    newest: Option<Place>,
    table: Box<[u64]>,
    bytes: usize,
    limit: usize,
    records: u64,
    /// Of the records between `head` and `next`.
    encoded: Totals,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    bytes: usize,
    records: u64,
}

impl Outbox {
    /// An empty queue of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Outbox {
            chunks: VecDeque::new(),
            first: 1,
            head: Place::default(),
            next: Place::default(),
            newest: None,
            table: Box::default(),
            bytes: 0,
            limit,
            records: 0,
            encoded: Totals::default(),
        }
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

    /// Queues an increment, or adds it to a queued one.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline]
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

    /// Queues any command. CAS has no background form, as its answer is its purpose: it is
    /// refused.
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
                let (Some(kind), Ok(len)) = (kind, u32::try_from(value.len())) else {
                    return key.check().map(|()| Queued::Full);
                };
                let sizes = u64::from(flags) << 32 | u64::from(len);
                self.push(kind, key, sizes, ttl, value)
            }
        }
    }

    /// The tight loop's case: the same key as in the call before.
    #[inline]
    fn merge_into_newest(&mut self, kind: Kind, key: Parts<'_>, step: u64, ttl: Ttl) -> bool {
        match self.newest {
            Some(place) => merge(
                &mut self.chunks[place.chunk][place.offset..],
                kind,
                key,
                step,
                ttl,
            ),
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
        let len = key.len();
        if key.key.is_empty() || len > key::MAX_LEN {
            return Err(key.fault());
        }
        let size = HEADER + len + more.len();
        if self
            .chunks
            .back()
            .is_none_or(|chunk| chunk.len() + size > CHUNK && !chunk.is_empty())
        {
            if self.bytes + size > self.limit || self.chunks.len() == MAX_CHUNKS {
                return self.push_when_full(kind, key, step, ttl);
            }
            self.add_chunk(size);
        }
        let at = self.chunks.len() - 1;
        let chunk = &mut self.chunks[at];
        let offset = chunk.len();
        chunk.extend_from_slice(&header(kind, step, ttl, len));
        chunk.extend_from_slice(key.head);
        chunk.extend_from_slice(key.key);
        let Some(hash) = key::scan(&chunk[offset + HEADER..]) else {
            chunk.truncate(offset);
            return Err(key.fault());
        };
        let slot = hash as usize % SLOTS;
        let tag = (hash >> 32) << 32;
        let mergeable = matches!(kind, Kind::Incr | Kind::IncrInit | Kind::Decr);
        if mergeable
            && let Some(place) = self.queued_at(self.table[slot], tag)
            && self.merge_at(place, kind, key, step, ttl)
        {
            self.chunks[at].truncate(offset);
            return Ok(Queued::Merged);
        }
        if self.bytes + size > self.limit {
            self.chunks[at].truncate(offset);
            return Ok(Queued::Full);
        }
        let chunk = &mut self.chunks[at];
        chunk.extend_from_slice(more);
        // What can't be merged with takes the slot too, or later increments would overtake it.
        let number = self.first.wrapping_add(at as u16);
        self.table[slot] = if mergeable {
            tag | u64::from(number) << 16 | TAKEN | offset as u64
        } else {
            0
        };
        self.newest = Some(Place { chunk: at, offset });
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
        if !self.table.is_empty() && matches!(kind, Kind::Incr | Kind::IncrInit | Kind::Decr) {
            let mut wire = Vec::with_capacity(key.len());
            wire.extend_from_slice(key.head);
            wire.extend_from_slice(key.key);
            let hash = key::scan(&wire).ok_or_else(|| key.fault())?;
            if let Some(place) =
                self.queued_at(self.table[hash as usize % SLOTS], (hash >> 32) << 32)
                && self.merge_at(place, kind, key, step, ttl)
            {
                return Ok(Queued::Merged);
            }
        }
        Ok(Queued::Full)
    }

    /// The place that a table entry names, if its tag fits and the record there can still merge.
    #[inline]
    fn queued_at(&self, entry: u64, tag: u64) -> Option<Place> {
        if (entry ^ tag) >> 32 != 0 || entry & TAKEN == 0 {
            return None;
        }
        let number = (entry >> 16) as u16;
        let place = Place {
            chunk: usize::from(number.wrapping_sub(self.first)),
            offset: (entry & (TAKEN - 1)) as usize,
        };
        (place.chunk < self.chunks.len() && place >= self.next).then_some(place)
    }

    #[inline]
    fn merge_at(&mut self, place: Place, kind: Kind, key: Parts<'_>, step: u64, ttl: Ttl) -> bool {
        match self.chunks[place.chunk].get_mut(place.offset..) {
            Some(record) => merge(record, kind, key, step, ttl),
            None => false,
        }
    }

    #[cold]
    fn add_chunk(&mut self, size: usize) {
        if self.table.is_empty() {
            self.table = vec![0; SLOTS].into_boxed_slice();
        }
        if self.first.wrapping_add(self.chunks.len() as u16) == 0 {
            self.forget_positions();
        }
        self.chunks.push_back(Vec::with_capacity(size.max(CHUNK)));
    }

    /// Numbers come round: an old entry could name a new chunk.
    fn forget_positions(&mut self) {
        self.table.fill(0);
    }

    /// The next command to get its wire form, or `None` when all have one.
    #[inline]
    pub fn encode_next(&mut self) -> Option<Command<'_>> {
        if self.next.chunk + 1 < self.chunks.len()
            && self.next.offset == self.chunks[self.next.chunk].len()
        {
            self.next = Place {
                chunk: self.next.chunk + 1,
                offset: 0,
            };
        }
        let rest = &self.chunks.get(self.next.chunk)?[self.next.offset..];
        if rest.is_empty() {
            return None;
        }
        let (command, size) = record(rest);
        self.next.offset += size;
        self.encoded.bytes += size;
        self.encoded.records += 1;
        self.newest = None;
        Some(command)
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
            if self.head.offset == self.chunks[self.head.chunk].len() {
                self.head = Place {
                    chunk: self.head.chunk + 1,
                    offset: 0,
                };
            }
            let size = record(&self.chunks[self.head.chunk][self.head.offset..]).1;
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
            self.chunks.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        self.next.chunk -= self.head.chunk;
        if let Some(place) = &mut self.newest {
            place.chunk -= self.head.chunk;
        }
        self.head.chunk = 0;
        if self.records == 0 {
            self.reset();
        }
    }

    /// Empties the queue; one chunk of the usual size stays for the next records.
    fn reset(&mut self) {
        // Old entries of the table must not name places in the emptied chunk.
        let (first, came_round) = self.first.overflowing_add(self.chunks.len().max(1) as u16);
        self.first = first;
        if came_round {
            self.forget_positions();
        }
        self.chunks.truncate(1);
        if self
            .chunks
            .front()
            .is_some_and(|chunk| chunk.capacity() > CHUNK)
        {
            self.chunks.clear();
        }
        if let Some(chunk) = self.chunks.front_mut() {
            chunk.clear();
        }
        self.head = Place::default();
        self.next = Place::default();
        self.newest = None;
        self.bytes = 0;
        self.records = 0;
        self.encoded = Totals::default();
    }

    /// Gives up value writes and touches, and what is queued behind them on the same key: sent
    /// later they would overwrite newer data. Increments and removals stay.
    ///
    /// Only with no wire forms outstanding (after [`rewind`](Self::rewind)).
    pub fn drop_overwriting(&mut self) -> Dropped {
        debug_assert_eq!(self.encoded.records, 0);
        let mut kept = Outbox::new(self.limit);
        let mut tainted: HashSet<Vec<u8>> = HashSet::new();
        let mut dropped = Dropped::default();
        while let Some(Command { key, action }) = self.encode_next() {
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
        }
        *self = kept;
        dropped
    }

    /// Gives up everything. Returns how many commands that were.
    pub fn clear(&mut self) -> u64 {
        let dropped = self.records;
        self.chunks.clear();
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

#[inline]
fn header(kind: Kind, step: u64, ttl: Ttl, len: usize) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&step.to_le_bytes());
    header[8..].copy_from_slice(&fields(kind, ttl, len).to_le_bytes());
    header
}

/// The second half of a header as one number.
#[inline]
fn fields(kind: Kind, ttl: Ttl, len: usize) -> u64 {
    u64::from(ttl.seconds()) | (len as u64) << 32 | (kind as u64) << 40
}

/// Adds `step` to the record, if it is the same kind of change of the same key with the same
/// lifetime, and the sums fit.
#[inline]
fn merge(record: &mut [u8], kind: Kind, key: Parts<'_>, step: u64, ttl: Ttl) -> bool {
    let Some((head, rest)) = record.split_first_chunk_mut::<HEADER>() else {
        return false;
    };
    let len = key.len();
    let found = u64_at(head, 8);
    let with_init = match kind {
        _ if found == fields(kind, ttl, len) => kind == Kind::IncrInit,
        Kind::Incr => {
            if found != fields(Kind::IncrInit, ttl, len) {
                return false;
            }
            true
        }
        Kind::IncrInit => {
            if found != fields(Kind::Incr, ttl, len) {
                return false;
            }
            false
        }
        _ => return false,
    };
    if !rest.get(..len).is_some_and(|wire| key.equals(wire)) {
        return false;
    }
    let Some(sum) = u64_at(head, 0).checked_add(step) else {
        return false;
    };
    if with_init {
        // By the time the later step would have arrived the counter would have been there.
        let Some(init) = u64_at(rest, len).checked_add(step) else {
            return false;
        };
        rest[len..len + 8].copy_from_slice(&init.to_le_bytes());
    }
    head[..8].copy_from_slice(&sum.to_le_bytes());
    true
}

/// The command at the start of `bytes`, and the length of its record.
#[inline]
fn record(bytes: &[u8]) -> (Command<'_>, usize) {
    let step = u64_at(bytes, 0);
    let fields = u64_at(bytes, 8);
    let ttl = Ttl::from_raw(fields as u32);
    let end = HEADER + usize::from((fields >> 32) as u8);
    let key = &bytes[HEADER..end];
    let store = |mode| {
        let len = step as u32 as usize;
        let value = &bytes[end..end + len];
        (
            Action::Store {
                mode,
                flags: (step >> 32) as u32,
                ttl,
                value,
            },
            len,
        )
    };
    let (action, more) = match Kind::of((fields >> 40) as u8) {
        Kind::Incr => (
            Action::Incr {
                step,
                ttl,
                init: step,
            },
            0,
        ),
        Kind::IncrInit => (
            Action::Incr {
                step,
                ttl,
                init: u64_at(bytes, end),
            },
            8,
        ),
        Kind::Decr => (Action::Decr { step }, 0),
        Kind::Delete => (Action::Delete, 0),
        Kind::Touch => (Action::Touch { ttl }, 0),
        Kind::Set => store(StoreMode::Set),
        Kind::Add => store(StoreMode::Add),
        Kind::Replace => store(StoreMode::Replace),
    };
    (Command { key, action }, end + more)
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => unreachable!("records are written whole"),
    }
}

#[cfg(test)]
mod tests;
