//! The records of the [`outbox`](super::outbox): how a command waits.
//!
//! `[step u64][ttl u32][len u8][kind u8][head u8][last u8]`, the key, and for some kinds more (see
//! [`Kind`]). `len` is the key's length, `head` how much of it came from the handle where that has to
//! be known, `last` its last byte.

use crate::protocol::key::Parts;
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

/// Bytes before the key.
pub(super) const HEADER: usize = 16;
/// Where a record has its kind.
pub(super) const KIND_AT: usize = 13;

/// What a record asks for, and what follows its key.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
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
    pub(super) fn of(raw: u8) -> Kind {
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

impl Kind {
    /// Whether commands of this kind can become part of one queued before.
    #[inline(always)]
    pub(super) fn merges(self) -> bool {
        matches!(self, Kind::Incr | Kind::IncrInit | Kind::Decr)
    }
}

/// The header of a record with these [`fields`].
#[inline]
pub(super) fn header(step: u64, fields: u64) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&step.to_le_bytes());
    header[8..].copy_from_slice(&fields.to_le_bytes());
    header
}

/// The kind's place in a header's second half.
const KIND: u32 = 40;
pub(super) const HEAD: u32 = 48;
/// The key's last byte, in which neighbours mostly differ: most keys that don't merge are told by
/// their headers alone.
const LAST: u32 = 56;

/// The second half of a header as one number; `head`: how much of the key is to be marked as head.
#[inline(always)]
pub(super) fn fields(kind: Kind, ttl: Ttl, key: Parts<'_>, head: usize) -> u64 {
    u64::from(ttl.seconds())
        | (key.len() as u64) << 32
        | (kind as u64) << KIND
        | (head as u64) << HEAD
        | u64::from(key.key.last().copied().unwrap_or(0)) << LAST
}

const KINDS: u64 = 0xff << KIND;

/// Adds `step` to the record, if it is the same kind of change of the same key with the same
/// lifetime (`fields` are those of the command), and the sums fit.
#[inline(always)]
pub(super) fn merge(record: &mut [u8], fields: u64, key: Parts<'_>, step: u64) -> bool {
    const WITH_INIT: u64 = (Kind::IncrInit as u64) << KIND;
    const INCR: u64 = (Kind::Incr as u64) << KIND;
    let len = key.len();
    let Some((head, rest)) = record.split_first_chunk_mut::<HEADER>() else {
        return false;
    };
    let found = u64_at(head, 8);
    let with_init = found & KINDS == WITH_INIT;
    // Increments merge whether or not either has a start value; decrements with their like.
    let is_incr = |fields| matches!(fields & KINDS, INCR | WITH_INIT);
    if found != fields && !((found ^ fields) & !KINDS == 0 && is_incr(found) && is_incr(fields)) {
        return false;
    }
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

/// The key, step and lifetime of the record at the start of `bytes`, if it is an increment that creates its counter at
/// the step. Nothing follows its key.
#[inline(always)]
pub(super) fn plain_incr(bytes: &[u8]) -> Option<(&[u8], u64, Ttl)> {
    let fields = u64_at(bytes, 8);
    if fields & KINDS != (Kind::Incr as u64) << KIND {
        return None;
    }
    let key = &bytes[HEADER..][..usize::from((fields >> 32) as u8)];
    Some((key, u64_at(bytes, 0), Ttl::from_raw(fields as u32)))
}

/// The command at the start of `bytes`, and the length of its record.
#[inline(always)]
pub(super) fn record(bytes: &[u8]) -> (Command<'_>, usize) {
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
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => unreachable!("records are written whole"),
    }
}
