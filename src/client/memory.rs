//! `memory:`: memcached's commands on a map in this process.
//!
//! Answers are those of memcached 1.6.18, seen in `tests/server/memory_parity.rs`, with three differences:
//! lifetimes end to the moment and not to the second, a counter that gets fewer digits is not padded with
//! spaces, and a full store refuses new items instead of evicting others.

mod leading_number;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use leading_number::leading_number;

use crate::protocol::number;
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

/// Most bytes of a store, counted as [`ITEM_BYTES`] and the lengths of key and value for each item:
/// memcached's own default (`-m 64`).
pub const MEMORY_LIMIT: usize = 64 << 20;
/// What an item takes besides its key and value, at most: its place in the map, which may be half empty,
/// and the allocator's share.
pub const ITEM_BYTES: usize = 192;

/// Largest item: memcached's default (`-I 1m`), to which its own header counts.
const LARGEST_ITEM: usize = 1 << 20;
const ITEM_HEADER: usize = 59;
const FLAGS_BYTES: usize = 4;

/// Expired items of a full store are looked for at most this often, as that takes a walk over all.
const PURGE_PAUSE: Duration = Duration::from_secs(1);

/// A store of counters and values. Bounded by [`MEMORY_LIMIT`]; expired items make room when it is full.
///
/// Keys are wire keys, which the caller has checked. `now` never goes back.
#[derive(Debug)]
pub struct Memory {
    items: HashMap<Box<[u8]>, Item, foldhash::fast::RandomState>,
    /// The sum of all items' [`cost`].
    bytes: usize,
    limit: usize,
    last_cas: u64,
    /// When a walk for expired items is worth it again.
    next_purge: Option<Instant>,
}

#[derive(Debug)]
struct Item {
    value: Value,
    flags: u32,
    cas: u64,
    /// None: never.
    expires: Option<Instant>,
}

#[derive(Debug)]
enum Value {
    /// As it was stored.
    Bytes(Box<[u8]>),
    /// What an increment or decrement left.
    Number(u64),
}

/// An item as `gets` would show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'a> {
    /// The bytes stored.
    pub value: Cow<'a, [u8]>,
    /// The client flags stored with them.
    pub flags: u32,
    /// Changes with every change of the value; never 0.
    pub cas: u64,
}

/// What became of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Stored, deleted or touched.
    Done,
    /// The counter's new value.
    Number(u64),
    /// No such key: for decrements, `cas`, `delete` and `touch`.
    NotFound,
    /// The key was there (`add`) or was not (`replace`).
    NotStored,
    /// The item was changed since the CAS unique was read.
    Exists,
}

/// An error that memcached would have answered. `Display` is its reply line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryError {
    /// An increment or decrement of a value that is no number.
    NotNumber,
    /// An item of more than 1 MiB. A `set` removes the old value then, so that no stale one is read.
    TooLarge,
    /// The store is full, and nothing in it is expired. A `set` removes the old value then.
    Full,
}

impl std::error::Error for MemoryError {}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotNumber => "CLIENT_ERROR cannot increment or decrement non-numeric value",
            Self::TooLarge => "SERVER_ERROR object too large for cache",
            Self::Full => "SERVER_ERROR out of memory storing object",
        })
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::with_limit(MEMORY_LIMIT)
    }
}

impl Memory {
    /// An empty store with another limit in bytes than [`MEMORY_LIMIT`].
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Memory {
            items: HashMap::default(),
            bytes: 0,
            limit,
            last_cas: 0,
            next_purge: None,
        }
    }

    /// The item under a key, unless its lifetime has ended.
    #[must_use]
    pub fn get(&self, key: &[u8], now: Instant) -> Option<Found<'_>> {
        let item = self.items.get(key).filter(|item| item.lives(now))?;
        let value = match &item.value {
            Value::Bytes(bytes) => Cow::Borrowed(&**bytes),
            Value::Number(value) => itoa::Buffer::new()
                .format(*value)
                .as_bytes()
                .to_vec()
                .into(),
        };
        Some(Found {
            value,
            flags: item.flags,
            cas: item.cas,
        })
    }

    /// The number under a key: digits, with spaces behind them at most.
    #[must_use]
    pub fn counter(&self, key: &[u8], now: Instant) -> Option<u64> {
        let item = self.items.get(key).filter(|item| item.lives(now))?;
        match &item.value {
            Value::Bytes(bytes) => number::parse_stored(bytes),
            Value::Number(value) => Some(*value),
        }
    }

    /// Carries out one command.
    ///
    /// # Errors
    /// See [`MemoryError`].
    pub fn apply(&mut self, command: &Command<'_>, now: Instant) -> Result<Outcome, MemoryError> {
        let key = command.key;
        match command.action {
            Action::Incr { step, ttl, init } => {
                match self.change(key, now, |value| value.wrapping_add(step))? {
                    Some(value) => Ok(Outcome::Number(value)),
                    None => {
                        self.insert(key, Value::Number(init), 0, ttl, now)?;
                        Ok(Outcome::Number(init))
                    }
                }
            }
            Action::Decr { step } => {
                let value = self.change(key, now, |value| value.saturating_sub(step))?;
                Ok(value.map_or(Outcome::NotFound, Outcome::Number))
            }
            Action::Store {
                mode,
                flags,
                ttl,
                value,
            } => self.store(key, mode, value, flags, ttl, now),
            Action::Delete => {
                let lived = self.remove(key).is_some_and(|item| item.lives(now));
                Ok(if lived {
                    Outcome::Done
                } else {
                    Outcome::NotFound
                })
            }
            Action::Touch { ttl } => Ok(match self.living(key, now) {
                Some(item) => {
                    item.expires = end(ttl, now);
                    Outcome::Done
                }
                None => Outcome::NotFound,
            }),
        }
    }

    /// How many items there are, expired ones that still take up room included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The bytes that count towards the limit.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn living(&mut self, key: &[u8], now: Instant) -> Option<&mut Item> {
        self.items.get_mut(key).filter(|item| item.lives(now))
    }

    /// Changes a counter where it is; its flags and the end of its lifetime stay.
    fn change(
        &mut self,
        key: &[u8],
        now: Instant,
        change: impl FnOnce(u64) -> u64,
    ) -> Result<Option<u64>, MemoryError> {
        let cas = self.last_cas + 1;
        let Some(item) = self.living(key, now) else {
            return Ok(None);
        };
        let (old, freed) = match &item.value {
            Value::Number(value) => (*value, 0),
            Value::Bytes(bytes) => (
                leading_number(bytes).ok_or(MemoryError::NotNumber)?,
                bytes.len(),
            ),
        };
        let new = change(old);
        item.value = Value::Number(new);
        item.cas = cas;
        self.last_cas = cas;
        self.bytes -= freed;
        Ok(Some(new))
    }

    fn store(
        &mut self,
        key: &[u8],
        mode: StoreMode,
        value: &[u8],
        flags: u32,
        ttl: Ttl,
        now: Instant,
    ) -> Result<Outcome, MemoryError> {
        // memcached has to find room for the new item before it looks for the old one.
        let item_bytes =
            ITEM_HEADER + key.len() + value.len() + if flags == 0 { 0 } else { FLAGS_BYTES };
        if item_bytes > LARGEST_ITEM {
            if mode == StoreMode::Set {
                self.remove(key);
            }
            return Err(MemoryError::TooLarge);
        }
        let old = self.living(key, now).map(|item| item.cas);
        match (mode, old) {
            (StoreMode::Add, Some(_)) | (StoreMode::Replace, None) => {
                return Ok(Outcome::NotStored);
            }
            (StoreMode::Cas(_), None) => return Ok(Outcome::NotFound),
            (StoreMode::Cas(expected), Some(cas)) if expected != cas => return Ok(Outcome::Exists),
            _ => {}
        }
        let stored = self.insert(key, Value::Bytes(value.into()), flags, ttl, now);
        if stored.is_err() && mode == StoreMode::Set {
            self.remove(key);
        }
        stored.map(|()| Outcome::Done)
    }

    fn insert(
        &mut self,
        key: &[u8],
        value: Value,
        flags: u32,
        ttl: Ttl,
        now: Instant,
    ) -> Result<(), MemoryError> {
        let new = cost(key, &value);
        if !self.fits(key, new) {
            self.purge(now);
            if !self.fits(key, new) {
                return Err(MemoryError::Full);
            }
        }
        self.last_cas += 1;
        let item = Item {
            value,
            flags,
            cas: self.last_cas,
            expires: end(ttl, now),
        };
        self.bytes += new;
        // An old item's key stays, and with it no allocation is made for the key.
        match self.items.get_mut(key) {
            Some(place) => {
                let old = std::mem::replace(place, item);
                self.bytes -= cost(key, &old.value);
            }
            None => {
                self.items.insert(key.into(), item);
            }
        }
        Ok(())
    }

    fn fits(&self, key: &[u8], new: usize) -> bool {
        if self.bytes + new <= self.limit {
            return true;
        }
        let old = self.items.get(key).map_or(0, |item| cost(key, &item.value));
        self.bytes - old + new <= self.limit
    }

    fn remove(&mut self, key: &[u8]) -> Option<Item> {
        let item = self.items.remove(key)?;
        self.bytes -= cost(key, &item.value);
        Some(item)
    }

    fn purge(&mut self, now: Instant) {
        if self.next_purge.is_some_and(|next| now < next) {
            return;
        }
        self.next_purge = now.checked_add(PURGE_PAUSE);
        let bytes = &mut self.bytes;
        self.items.retain(|key, item| {
            let lives = item.lives(now);
            if !lives {
                *bytes -= cost(key, &item.value);
            }
            lives
        });
    }
}

impl Item {
    fn lives(&self, now: Instant) -> bool {
        self.expires.is_none_or(|end| now < end)
    }
}

fn cost(key: &[u8], value: &Value) -> usize {
    let value = match value {
        Value::Bytes(bytes) => bytes.len(),
        Value::Number(_) => 0,
    };
    ITEM_BYTES + key.len() + value
}

fn end(ttl: Ttl, now: Instant) -> Option<Instant> {
    match ttl.seconds() {
        0 => None,
        seconds => now.checked_add(Duration::from_secs(seconds.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing else tells whether the sum is right.
    #[test]
    fn the_bytes_are_the_sum_of_the_items() {
        let start = Instant::now();
        let mut random = fastrand::Rng::with_seed(7);
        let mut memory = Memory::with_limit(20_000);
        for step in 0..20_000_u64 {
            let key = [b'a' + random.u8(..60)];
            let ttl = Ttl::new(random.i64(0..3), || 0).unwrap();
            let value = vec![b'7'; random.usize(0..1500)];
            let mode = [
                StoreMode::Set,
                StoreMode::Add,
                StoreMode::Replace,
                StoreMode::Cas(random.u64(..step + 1)),
            ];
            let action = match random.u8(..8) {
                0 | 1 => Action::Incr {
                    step: 1,
                    ttl,
                    init: 1,
                },
                2 => Action::Decr { step: 1 },
                3 => Action::Delete,
                4 => Action::Touch { ttl },
                _ => Action::Store {
                    mode: random.choice(mode).unwrap(),
                    flags: 0,
                    ttl,
                    value: &value,
                },
            };
            let _ = memory.apply(
                &Command { key: &key, action },
                start + Duration::from_millis(step * 10),
            );
            let sum: usize = memory
                .items
                .iter()
                .map(|(key, item)| cost(key, &item.value))
                .sum();
            assert_eq!(memory.bytes(), sum);
            assert!(sum <= 20_000);
        }
        assert!(memory.len() > 10, "the limit is reached");
    }
}
