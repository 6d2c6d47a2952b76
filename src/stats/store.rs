//! The narrow waist: what writers, readers and rate limiters need of whatever keeps the counters.

use super::entity::EntityView;
use super::key::KeyStyle;
use super::number::Number;
use crate::protocol::key::Head;
use std::collections::HashMap;
use std::convert::Infallible;

/// What a key is made of.
#[derive(Clone, Copy, Debug)]
pub struct KeyParts<'a> {
    /// At least one component.
    pub prefix: &'a [Box<[u8]>],
    /// The metric's name.
    pub metric: &'a [u8],
    /// The sequence's name; often empty.
    pub sequence: &'a [u8],
    /// The time bucket's number.
    pub bucket: i64,
    /// Further components, and whether the key is global.
    pub entity: EntityView<'a>,
}

/// Bytes of a key that room is made for.
const USUAL_LEN: usize = 64;

/// A list of keys, one after the other in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    /// None, and room for `keys` of usual length.
    pub(super) fn with_capacity(keys: usize) -> Keys {
        Keys {
            bytes: Vec::with_capacity(keys.saturating_mul(USUAL_LEN)),
            ends: Vec::with_capacity(keys),
        }
    }

    /// How many bytes they have together.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key at `index`, which must be below [`Keys::len`].
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// The keys, in order. One may be there more than once.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&end| &self.bytes[std::mem::replace(&mut start, end)..end])
    }

    /// Appends a key.
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    /// Appends the key that `write` appends to the buffer; none when it fails.
    pub(super) fn push_with<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.bytes.len();
        match write(&mut self.bytes) {
            Ok(()) => self.ends.push(self.bytes.len()),
            Err(error) => {
                self.bytes.truncate(start);
                return Err(error);
            }
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub(super) fn reserved_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Increments that share a time to live. A key may be there more than once: its amounts add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Increments {
    /// Seconds for which a counter made by one of them lives; counters that exist keep their time.
    pub ttl: u32,
    /// What to add to.
    pub keys: Keys,
    /// How much to add to each: as many as there are keys, each below 2^63. 0 makes a counter of 0 where there is none.
    pub amounts: Vec<u64>,
}

impl Increments {
    /// Key and amount, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u64)> {
        self.keys.iter().zip(self.amounts.iter().copied())
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.amounts.clear();
    }
}

/// Takes a key in two pieces, an amount and a time to live; fails as a [`Store`] does.
pub type IncrOne<'a, E> = dyn FnMut((Head<'_>, &[u8]), u64, u32) -> Result<(), E> + 'a;

/// Keeps counters. Memcached through the client, a map in this process, or a PHP object with `makeKey`, `incr`,
/// `delete` and `query`, whose exceptions are the [`Store::Error`].
///
/// This room holds no lock, and no borrow of what several writers and readers share, over a call to a store that makes
/// its own keys: a PHP object may use others of them meanwhile.
pub trait Store {
    /// What its calls can fail with; passed through to the caller.
    type Error;

    /// Appends the key of `parts` to `out`. Asked only under [`Naming::ByStore`].
    ///
    /// # Errors
    /// The store's own; `out` may hold a part of the key then.
    ///
    /// [`Naming::ByStore`]: super::catalog::Naming::ByStore
    fn make_key(&mut self, parts: &KeyParts<'_>, out: &mut Vec<u8>) -> Result<(), Self::Error>;

    /// Adds to counters, creating those that aren't there; need not wait for the outcome.
    ///
    /// # Errors
    /// The store's own. What was given is not given again then.
    fn incr(&mut self, increments: &Increments) -> Result<(), Self::Error>;

    /// Adds to counters whose keys this room has made, as `feed` hands them over one by one: as [`Store::incr`].
    fn incr_each<R>(&mut self, feed: impl FnOnce(&mut IncrOne<'_, Self::Error>) -> R) -> R {
        feed(&mut |(start, end), amount, ttl| {
            let mut increments = Increments {
                ttl,
                ..Increments::default()
            };
            increments.keys.push(&[start.bytes(), end].concat());
            increments.amounts.push(amount);
            self.incr(&increments)
        })
    }

    /// Takes increments of a rate limiter back; need not wait for the outcome. A counter that is gone stays gone.
    ///
    /// # Errors
    /// The store's own.
    fn take_back(&mut self, increments: &Increments) -> Result<(), Self::Error>;

    /// Deletes counters; need not wait for the outcome.
    ///
    /// # Errors
    /// The store's own.
    fn delete(&mut self, keys: &Keys) -> Result<(), Self::Error>;

    /// Reads counters, all of them in one round trip where it can: calls `found` with the index in `keys` and the
    /// value of each that is there.
    ///
    /// # Errors
    /// The store's own, also when only some of the keys could be asked for.
    fn query(
        &mut self,
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), Self::Error>;

    /// Adds, then reads: every answer is from after `first` was added, for all callers of the store. In one exchange
    /// where the store can keep that order within it.
    ///
    /// # Errors
    /// The store's own.
    fn incr_then_query(
        &mut self,
        first: &[Increments],
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), Self::Error> {
        for increments in first {
            self.incr(increments)?;
        }
        self.query(keys, found)
    }
}

/// Counters in a map of this process. Nothing expires: it shows what was done to it, for tests.
#[derive(Clone, Debug)]
pub struct MapStore {
    /// How it makes keys when asked to.
    pub style: KeyStyle,
    /// Key => value and the time to live that it was made with.
    pub counters: HashMap<Vec<u8>, (u64, u32)>,
}

impl MapStore {
    /// Without counters.
    pub fn new(style: KeyStyle) -> MapStore {
        MapStore {
            style,
            counters: HashMap::new(),
        }
    }
}

impl Store for MapStore {
    type Error = Infallible;

    fn make_key(&mut self, parts: &KeyParts<'_>, out: &mut Vec<u8>) -> Result<(), Infallible> {
        self.style.write_key(parts, out);
        Ok(())
    }

    fn incr(&mut self, increments: &Increments) -> Result<(), Infallible> {
        for (key, amount) in increments.iter() {
            let (value, _) = self
                .counters
                .entry(key.to_vec())
                .or_insert((0, increments.ttl));
            *value = value.saturating_add(amount);
        }
        Ok(())
    }

    fn take_back(&mut self, increments: &Increments) -> Result<(), Infallible> {
        for (key, amount) in increments.iter() {
            if let Some((value, _)) = self.counters.get_mut(key) {
                *value = value.saturating_sub(amount);
            }
        }
        Ok(())
    }

    fn delete(&mut self, keys: &Keys) -> Result<(), Infallible> {
        for key in keys.iter() {
            self.counters.remove(key);
        }
        Ok(())
    }

    fn query(
        &mut self,
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), Infallible> {
        for (index, key) in keys.iter().enumerate() {
            if let Some(&(value, _)) = self.counters.get(key) {
                found(
                    index,
                    i64::try_from(value).map_or(Number::Float(value as f64), Number::Int),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_and_failed_ones_leave_no_trace() {
        let mut keys = Keys::default();
        keys.push(b"");
        keys.push(b"ab");
        let failed: Result<(), &str> = keys.push_with(|out| {
            out.extend_from_slice(b"half");
            Err("no")
        });
        assert_eq!(failed, Err("no"));
        keys.push(b"c");
        assert_eq!(
            keys.iter().collect::<Vec<_>>(),
            [b"".as_slice(), b"ab", b"c"]
        );
        assert_eq!(
            (keys.len(), keys.get(0), keys.get(1), keys.get(2)),
            (3, &b""[..], &b"ab"[..], &b"c"[..])
        );
    }
}
