//! The bounded queue of background writes, in which increments merge.
//!
//! Commands wait as records and get their wire form only when they are sent: by then the
//! dialect is known, the boundaries are exact, and a merge never has to patch digits.
//!
//! Records (see [`record`](super::record)) lie in [`chunks`]. The merge table maps a slot of the key's hash to
//! the position of the last command on a key of that slot. An entry is believed only if its position is
//! still queued and the record's bytes agree, so the table needs no clearing, and a collision costs a merge,
//! never a wrong one. At its bound the queue has an [`index`] of all keys, made bit by bit from half of the
//! bound on.

mod chunks;
mod index;

use std::collections::HashSet;

use super::record::{
    HEAD, HEADER, KIND_AT, Kind, fields, header, merge, plain_incr, record, u64_at,
};
use chunks::{Chunks, Place};
use index::Index;

use crate::protocol::key::{self, KeyError, Parts};
use crate::protocol::reply::MAX_VALUE;
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

const SLOTS: usize = if cfg!(miri) { 128 } else { 2048 };

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

/// Gives commands their wire form.
pub trait Encode {
    /// An increment that creates its counter at the step, as most do. Whether another command may come.
    fn incr(&mut self, key: &[u8], step: u64, ttl: Ttl) -> bool;

    /// Any command. Whether another may come.
    fn command(&mut self, command: &Command<'_>) -> bool;
}

impl<F: FnMut(&Command<'_>) -> bool> Encode for F {
    fn incr(&mut self, key: &[u8], step: u64, ttl: Ttl) -> bool {
        let init = step;
        let action = Action::Incr { step, ttl, init };
        self(&Command { key, action })
    }

    fn command(&mut self, command: &Command<'_>) -> bool {
        self(command)
    }
}

impl<'a> Staged<'a> {
    /// The key that decides where it goes.
    pub fn routed_key(&self) -> &'a [u8] {
        &self.command.key[self.head..]
    }
}

/// Bytes of the hash behind the record of a staged increment.
const HASH: usize = 8;

/// See the [module](self).
pub type Outbox = Queue<false>;

/// Increments that have to be routed yet: [`staged`](Queue::staged) tells how their keys were cut in two, and what they
/// hash to.
pub type Staging = Queue<true>;

/// An [`Outbox`] or a [`Staging`]: the records of the latter tell how much of their key is the head, in which what merges
/// must then agree, and end in the hash of their key.
#[derive(Debug)]
pub struct Queue<const STAGING: bool> {
    chunks: Chunks,
    /// The oldest record of which no byte was sent.
    head: Place,
    /// The oldest record without a wire form. Those before it don't merge any more.
    next: Place,
    /// Where in the tail the newest record is, if it has no wire form yet; else [`NONE`].
    newest: usize,
    /// The merge table: high half of the hash, and position.
    table: Box<[u64]>,
    /// None in a stage, which is dealt out at its bound.
    index: Option<Index>,
    bytes: usize,
    limit: usize,
    records: u64,
    /// Whether value writes or touches may be queued; only if so is the queue gone through for
    /// them when the server is marked down, as it is once per attempt to connect.
    overwriting: bool,
    /// Of the records between `head` and `next`.
    encoded: Totals,
}

const NONE: usize = usize::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    bytes: usize,
    records: u64,
}

impl<const STAGING: bool> Queue<STAGING> {
    /// An empty queue of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Queue {
            chunks: Chunks::new(),
            head: Place::default(),
            next: Place::default(),
            newest: NONE,
            table: Box::default(),
            index: (!STAGING).then(Index::default),
            bytes: 0,
            limit,
            records: 0,
            overwriting: false,
            encoded: Totals::default(),
        }
    }

    /// Whether a big backlog has gone since this was asked last: its chunks are freed, but lie
    /// between others where the allocator may keep them.
    pub fn is_past_a_burst(&mut self) -> bool {
        self.chunks.are_past_a_burst()
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
        self.bytes + bytes <= self.limit && self.chunks.have_numbers_for(bytes)
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
        self.push_incr(key, step, ttl, init, None)
    }

    /// The same at the step, cheaper where the newest command is likely on another key.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr_another(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
    ) -> Result<Queued, KeyError> {
        self.push(Kind::Incr, key, step, ttl, &[], None)
    }

    /// Queues an increment that was [`staged`](Queue::staged) elsewhere, where its key was checked.
    pub fn unstage(&mut self, staged: &Staged<'_>) -> Queued {
        let Action::Incr { step, ttl, init } = staged.command.action else {
            unreachable!("only increments are staged");
        };
        let key = Parts::bare(staged.command.key);
        let queued = self.push_incr(key, step, ttl, init, Some(staged.hash));
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
                self.push(Kind::Decr, key, step, Ttl::FOREVER, &[], None)
            }
            Action::Delete => self.push(Kind::Delete, key, 0, Ttl::FOREVER, &[], None),
            Action::Touch { ttl } => self.push(Kind::Touch, key, 0, ttl, &[], None),
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
                self.push(kind, key, sizes, ttl, value, None)
            }
        }
    }

    /// What the header of a record of this command has besides the step.
    #[inline(always)]
    fn fields(&self, kind: Kind, ttl: Ttl, key: Parts<'_>) -> u64 {
        let head = if STAGING { key.head.len() } else { 0 };
        fields(kind, ttl, key, head)
    }

    /// The tight loop's case: the same key as in the call before.
    #[inline(always)]
    fn merge_into_newest(&mut self, kind: Kind, key: Parts<'_>, step: u64, ttl: Ttl) -> bool {
        let fields = self.fields(kind, ttl, key);
        match self.chunks.tail.bytes.get_mut(self.newest..) {
            Some(record) => merge(record, fields, key, step),
            None => false,
        }
    }

    #[inline(always)]
    fn push_incr(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
        hash: Option<u64>,
    ) -> Result<Queued, KeyError> {
        if init == step {
            self.push(Kind::Incr, key, step, ttl, &[], hash)
        } else {
            self.push(Kind::IncrInit, key, step, ttl, &init.to_le_bytes(), hash)
        }
    }

    /// `more` is what follows the key in the record. With a `hash` the key was scanned before, and that came of it.
    #[inline(always)]
    fn push(
        &mut self,
        kind: Kind,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        more: &[u8],
        hash: Option<u64>,
    ) -> Result<Queued, KeyError> {
        let len = key.len();
        if key.key.is_empty() || len > key::MAX_LEN {
            return Err(key.fault());
        }
        let fields = self.fields(kind, ttl, key);
        let size = HEADER + len + more.len() + if STAGING { HASH } else { 0 };
        let tail = &self.chunks.tail;
        if tail.bytes.len() - tail.len < size && !self.make_room(size) {
            return self.push_when_full(kind, key, step, ttl);
        }
        // The record is written where it would be, and becomes one only when it is counted.
        let offset = self.chunks.tail.len;
        let room = &mut self.chunks.tail.bytes[offset..][..size];
        let (head, room) = room.split_at_mut(HEADER);
        let (wire, rest) = room.split_at_mut(len);
        let hash = match hash {
            Some(hash) => {
                key.copy_to(wire);
                hash
            }
            None => match key.scan_into(wire) {
                Some(hash) => hash,
                None => return Err(key.fault()),
            },
        };
        head.copy_from_slice(&header(step, fields));
        if !more.is_empty() {
            rest[..more.len()].copy_from_slice(more);
        }
        if STAGING {
            rest[more.len()..].copy_from_slice(&hash.to_le_bytes());
        }
        let slot = hash as usize % SLOTS;
        let tag = (hash >> 32) << 32;
        let entry = self.table[slot];
        if (entry ^ tag) >> 32 == 0
            && kind.merges()
            && self.merge_at(entry as u32, fields, key, step)
        {
            return Ok(Queued::Merged);
        }
        if self.bytes + size > self.limit {
            return self.push_when_full(kind, key, step, ttl);
        }
        // What can't be merged with takes the slot too, or later increments would overtake it.
        self.table[slot] = if kind.merges() {
            let chunk = self.chunks.last();
            tag | u64::from(self.chunks.position(Place { chunk, offset }))
        } else {
            self.overwriting |= kind != Kind::Delete;
            0
        };
        self.newest = offset;
        self.chunks.tail.len += size;
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
        let mut wire = [0; key::MAX_LEN];
        let hash = key
            .scan_into(&mut wire[..key.len()])
            .ok_or_else(|| key.fault())?;
        let Some(index) = self.index.as_mut().filter(|_| kind.merges()) else {
            return Ok(Queued::Full);
        };
        index.bring_forward(&self.chunks, self.head, self.records, usize::MAX);
        let position = index.get(hash);
        let fields = self.fields(kind, ttl, key);
        match position {
            Some(position) if self.merge_at(position, fields, key, step) => Ok(Queued::Merged),
            _ => Ok(Queued::Full),
        }
    }

    /// Merges into the record at a position, if it is there and can still merge.
    #[inline(never)]
    fn merge_at(&mut self, position: u32, fields: u64, key: Parts<'_>, step: u64) -> bool {
        let Some(place) = self.chunks.place(position).filter(|&at| at >= self.next) else {
            return false;
        };
        let chunk = self.chunks.get_mut(place.chunk);
        match chunk.bytes.get_mut(place.offset..chunk.len) {
            Some(record) => merge(record, fields, key, step),
            None => false,
        }
    }

    /// Begins a new tail with room for `size` bytes. False: the queue is at its bound.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, size: usize) -> bool {
        if !self.has_room(size) {
            return false;
        }
        if self.table.is_empty() {
            self.table = vec![0; SLOTS].into_boxed_slice();
        }
        let came_round = self.chunks.begin_tail(size);
        self.newest = NONE;
        if came_round {
            self.forget_positions();
        }
        if self.bytes > self.limit / 2
            && let Some(index) = &mut self.index
        {
            // Two chunks for one that was filled: done when the bound is reached, and no call pays for all of it.
            index.bring_forward(&self.chunks, self.head, self.records, 2);
        }
        true
    }

    /// Numbers come round: an old position could name a new chunk.
    fn forget_positions(&mut self) {
        self.table.fill(0);
        self.forget_index();
    }

    fn forget_index(&mut self) {
        if let Some(index) = &mut self.index {
            index.clear();
        }
    }

    /// Gives commands their wire form, oldest first, until `encode` answers false or all have one.
    #[inline]
    pub fn encode(&mut self, mut encode: impl FnMut(&Command<'_>) -> bool) {
        self.encode_some(true, &mut encode);
    }

    /// The same, but without `values` up to the first command that carries one.
    #[inline]
    pub fn encode_some(&mut self, values: bool, encode: &mut impl Encode) {
        let is_value = |kind| matches!(kind, Kind::Set | Kind::Add | Kind::Replace);
        let mut more = true;
        while more {
            let chunk = self.chunks.get(self.next.chunk);
            let mut rest = chunk.from(self.next.offset);
            if rest.is_empty() {
                if self.next.chunk == self.chunks.last() {
                    return;
                }
                self.next = self.next.next_chunk();
                continue;
            }
            self.newest = NONE;
            let mut records = 0;
            while more && !rest.is_empty() {
                let size;
                if let Some((key, step, ttl)) = plain_incr(rest) {
                    size = HEADER + key.len();
                    more = encode.incr(key, step, ttl);
                } else {
                    if !values && is_value(Kind::of(rest[KIND_AT])) {
                        more = false;
                        break;
                    }
                    let command;
                    (command, size) = record(rest);
                    more = encode.command(&command);
                }
                rest = &rest[size..];
                records += 1;
            }
            self.encoded.records += records;
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
            if self.head.offset == self.chunks.get(self.head.chunk).len {
                self.head = self.head.next_chunk();
            }
            let (_, size) = record(self.chunks.get(self.head.chunk).from(self.head.offset));
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
        self.chunks.drop_before(self.head.chunk);
        self.next.chunk -= self.head.chunk;
        self.head.chunk = 0;
        if self.records == 0 {
            self.reset();
        }
    }

    /// Empties the queue; one chunk of the usual size stays for the next records.
    fn reset(&mut self) {
        if self.chunks.clear() {
            self.forget_positions();
        }
        self.forget_index();
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
        self.chunks.shrink();
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
        let mut kept = Queue::new(self.limit);
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

impl Staging {
    /// The increments, oldest first.
    pub fn staged(&self) -> impl Iterator<Item = Staged<'_>> {
        debug_assert_eq!(self.encoded.records, 0);
        let mut chunks = self.chunks.iter();
        let mut rest: &[u8] = &[];
        std::iter::from_fn(move || {
            while rest.is_empty() {
                rest = chunks.next()?.from(0);
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
