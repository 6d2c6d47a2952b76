//! Keys: 1 to 250 bytes on the wire, none of them a space, a control character or DEL.
//!
//! protocol.txt forbids "control characters or whitespace"; the server itself lets some of them
//! through in meta commands, so the check has to be ours. Bytes above 0x7f are allowed.

use std::fmt;

/// The longest key a server takes, in bytes, route and prefix included (protocol.txt).
pub const MAX_LEN: usize = 250;

/// A wire key in two pieces: what the handle puts before every key, and the caller's key.
///
/// Not checked yet: [`Parts::check`] does, and the queue does while it copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Route and prefix, already checked by the configuration; or what keys of statistics begin with.
    pub head: Head<'a>,
    /// The caller's key.
    pub key: &'a [u8],
}

/// The first piece of a wire key, with the scan of it, which need not be done again for every key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    bytes: &'a [u8],
    /// Of its whole words.
    scan: Scan,
}

impl<'a> Head<'a> {
    /// No bytes.
    pub const EMPTY: Head<'static> = Head {
        bytes: b"",
        scan: Scan::new(),
    };

    /// The bytes.
    #[inline(always)]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many they are.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl<'a> From<&'a [u8]> for Head<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        let mut scan = Scan::new();
        for word in bytes.as_chunks::<8>().0 {
            scan.take(*word);
        }
        Head { bytes, scan }
    }
}

/// A [`Head`] whose bytes are kept in a `B`.
#[derive(Clone, Debug)]
pub struct KeptHead<B> {
    bytes: B,
    scan: Scan,
}

impl<B: std::ops::Deref<Target = [u8]>> KeptHead<B> {
    /// Keeps these bytes.
    pub fn new(bytes: B) -> Self {
        let Head { scan, .. } = Head::from(&*bytes);
        KeptHead { bytes, scan }
    }

    /// The head.
    #[inline(always)]
    pub fn get(&self) -> Head<'_> {
        Head {
            bytes: &self.bytes,
            scan: self.scan,
        }
    }
}

impl<'a> Parts<'a> {
    /// A key with nothing before it.
    pub const fn bare(key: &'a [u8]) -> Self {
        Parts {
            head: Head::EMPTY,
            key,
        }
    }

    /// Bytes on the wire.
    #[inline]
    pub const fn len(&self) -> usize {
        self.head.len() + self.key.len()
    }

    /// Whether there is no byte at all.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `wire` is this key, byte for byte.
    #[inline(always)]
    pub fn equals(&self, wire: &[u8]) -> bool {
        if self.head.is_empty() {
            return wire == self.key;
        }
        wire.len() == self.len() && wire.starts_with(self.head.bytes) && wire.ends_with(self.key)
    }

    /// Checks the whole wire key.
    ///
    /// # Errors
    /// [`KeyError`] with what is wrong and where, counted in the caller's key.
    #[inline]
    pub fn check(&self) -> Result<(), KeyError> {
        if !self.key.is_empty() && self.len() <= MAX_LEN && scan(self.key).is_some() {
            return Ok(());
        }
        Err(self.fault())
    }

    /// Writes the wire key to `to`, which must be as long.
    ///
    /// # Panics
    /// When `to` is longer or shorter.
    #[inline(always)]
    pub fn copy_to(&self, to: &mut [u8]) {
        let (head, key) = to.split_at_mut(self.head.len());
        head.copy_from_slice(self.head.bytes);
        key.copy_from_slice(self.key);
    }

    /// Writes the wire key to `to`, which must be as long, checks and hashes it on the way: the
    /// hash (of the whole, however it was cut in two), or `None` when a byte is bad.
    ///
    /// # Panics
    /// When `to` is longer or shorter.
    #[inline(always)]
    pub fn scan_into(&self, to: &mut [u8]) -> Option<u64> {
        self.copy_to(to);
        self.head.scan.finish(to, self.head.len() / 8)
    }

    /// What is wrong with a key that failed its check.
    #[cold]
    #[inline(never)]
    pub fn fault(&self) -> KeyError {
        if self.key.is_empty() {
            return KeyError::Empty;
        }
        match self.key.iter().position(|&b| is_bad(b)) {
            Some(position) => KeyError::Byte {
                byte: self.key[position],
                position,
            },
            None => KeyError::TooLong {
                len: self.key.len(),
                head: self.head.len(),
            },
        }
    }
}

/// Why a key was refused. `Display` completes the sentence "… must be 1 to 250 bytes without
/// spaces or control characters, …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// No bytes.
    Empty,
    /// More bytes than fit.
    TooLong {
        /// Length of the caller's key.
        len: usize,
        /// Length of the route and prefix before it.
        head: usize,
    },
    /// A byte that may not be in a key.
    Byte {
        /// The byte.
        byte: u8,
        /// Its place in the caller's key, from 0.
        position: usize,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            KeyError::Empty => f.write_str("an empty one given"),
            KeyError::TooLong { len, head: 0 } => write!(f, "{len} bytes given"),
            KeyError::TooLong { len, head } => {
                write!(f, "{len} bytes given after a route and prefix of {head}")
            }
            KeyError::Byte { byte, position } => {
                write!(f, "byte 0x{byte:02x} at position {position} given")
            }
        }
    }
}

impl std::error::Error for KeyError {}

/// Whether a byte may not be in a key.
#[inline]
pub const fn is_bad(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

/// How long the key is that `bytes` begin with: up to the first byte that can't be in one. `None`: all of them can.
#[inline]
pub fn len_at(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let good = good_bytes(u64::from_le_bytes(*word)) & HIGH_BITS;
        if good != HIGH_BITS {
            return Some(index * 8 + (!good & HIGH_BITS).trailing_zeros() as usize / 8);
        }
    }
    let in_rest = rest.iter().position(|&byte| is_bad(byte))?;
    Some(words.len() * 8 + in_rest)
}

/// Checks and hashes in one pass, eight bytes at a time: the hash, or `None` when a byte is bad.
///
/// The hash only chooses merge slots; equality is always decided on the bytes.
#[inline]
pub fn scan(key: &[u8]) -> Option<u64> {
    Scan::new().finish(key, 0)
}

/// The word that holds `rest`, the end of `key` that fills none.
#[inline]
fn last_word(key: &[u8], rest: &[u8]) -> [u8; 8] {
    match key.last_chunk::<8>() {
        // Overlaps the word before: cheaper than assembling the rest byte by byte.
        Some(last) => *last,
        None => {
            let mut padded = [b'!'; 8];
            padded[..rest.len()].copy_from_slice(rest);
            padded
        }
    }
}

/// How far a key was checked and hashed: its whole words so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scan {
    /// The high bit of every byte stays set as long as no byte in its place was bad.
    good: u64,
    hash: u64,
}

impl Scan {
    #[inline(always)]
    const fn new() -> Self {
        Scan {
            good: HIGH_BITS,
            hash: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Takes the words of `key` from that number on, and what is left behind them.
    #[inline(always)]
    fn finish(mut self, key: &[u8], from: usize) -> Option<u64> {
        let (words, rest) = key.as_chunks::<8>();
        for word in &words[from..] {
            self.take(*word);
        }
        if !rest.is_empty() {
            self.take(last_word(key, rest));
        }
        self.end(key.len())
    }

    #[inline(always)]
    fn take(&mut self, word: [u8; 8]) {
        let word = u64::from_le_bytes(word);
        self.good &= good_bytes(word);
        self.hash = mix(self.hash, word);
    }

    #[inline(always)]
    fn end(self, len: usize) -> Option<u64> {
        // The last word may repeat bytes of the one before: the length tells how many.
        (self.good == HIGH_BITS).then(|| mix(self.hash, len as u64))
    }
}

const EACH: u64 = u64::MAX / 255;
const HIGH_BITS: u64 = EACH << 7;

/// The high bit of each byte of the result is set if that byte may be in a key. No carry leaves
/// its byte: with the high bits off, 1 and 0x5e are added to at most 0x7f.
#[inline(always)]
const fn good_bytes(word: u64) -> u64 {
    // DEL becomes 0, everything below it one more.
    let plus_one = (word & !HIGH_BITS).wrapping_add(EACH) & !HIGH_BITS;
    // 0x22 and above reach the high bit.
    plus_one.wrapping_add(EACH * (0x80 - 0x22)) | word
}

#[inline(always)]
fn mix(hash: u64, word: u64) -> u64 {
    // Both halves of the product: every bit of the key reaches every bit of the hash.
    let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
    product as u64 ^ (product >> 64) as u64
}

/// Checked wire keys, one behind the other in one allocation.
#[derive(Clone, Debug, Default)]
pub struct KeyList {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl KeyList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a key.
    ///
    /// # Errors
    /// [`KeyError`]; the list is as before.
    pub fn push(&mut self, key: Parts<'_>) -> Result<(), KeyError> {
        key.check()?;
        self.bytes.extend_from_slice(key.head.bytes);
        self.bytes.extend_from_slice(key.key);
        self.ends.push(self.bytes.len() as u32);
        Ok(())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key at `index`, in the order of pushing.
    ///
    /// # Panics
    /// When there is no such key.
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        &self.bytes[start..self.ends[index] as usize]
    }

    /// All keys in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Forgets all keys, keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All; where that takes minutes, those on either side of an edge.
    fn bytes_to_try() -> impl Iterator<Item = u8> {
        let at_edges = |byte: &u8| matches!(byte, 0 | 0x1f..=0x22 | 0x7e..=0x81 | 0xa0 | 0xff);
        (0..=255).filter(move |byte| !cfg!(miri) || at_edges(byte))
    }

    #[test]
    fn every_byte_is_judged_alike_by_the_fast_and_the_plain_check() {
        for len in 1..if cfg!(miri) { 18 } else { 41 } {
            for position in 0..len {
                for byte in bytes_to_try() {
                    let mut key = vec![b'k'; len];
                    key[position] = byte;
                    assert_eq!(
                        scan(&key).is_none(),
                        is_bad(byte),
                        "{byte:#x} at {position}/{len}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_key_ends_at_its_first_bad_byte() {
        for len in 0..if cfg!(miri) { 18 } else { 40 } {
            for position in 0..len {
                for byte in bytes_to_try() {
                    let mut bytes = vec![0x80 | byte; len];
                    bytes[position] = byte;
                    let end = bytes.iter().position(|&byte| is_bad(byte));
                    assert_eq!(len_at(&bytes), end, "{byte:#x} at {position}/{len}");
                }
            }
        }
    }

    #[test]
    fn neighbours_of_bad_bytes_do_not_hide_or_make_one() {
        for (a, b) in [
            (0x21, 0x80),
            (0x80, 0x21),
            (0x7e, 0x80),
            (0xff, 0x21),
            (0x20, 0x7f),
        ] {
            let key = [a, b, a, b, a, b, a, b, a, b];
            assert_eq!(
                scan(&key).is_none(),
                is_bad(a) || is_bad(b),
                "{a:#x} {b:#x}"
            );
        }
    }

    #[test]
    fn keys_that_differ_in_one_digit_spread_over_the_slots() {
        let keys = (0..1000).map(|n| format!("key{n:05}"));
        let slots: std::collections::HashSet<_> = keys
            .map(|key| scan(key.as_bytes()).unwrap() % 2048)
            .collect();
        // 1000 balls in 2048 boxes: 791 +- 11.
        assert!(slots.len() > 730, "{}", slots.len());
    }

    #[test]
    fn length_counts_route_and_prefix() {
        let head = [b'p'; 10];
        let key = [b'k'; 241];
        assert_eq!(
            Parts {
                head: head[..].into(),
                key: &key[..240]
            }
            .check(),
            Ok(())
        );
        let long = Parts {
            head: head[..].into(),
            key: &key,
        };
        assert_eq!(long.check(), Err(KeyError::TooLong { len: 241, head: 10 }));
        assert_eq!(
            long.fault().to_string(),
            "241 bytes given after a route and prefix of 10"
        );
        assert_eq!(
            Parts {
                head: head[..].into(),
                key: b""
            }
            .check(),
            Err(KeyError::Empty)
        );
    }

    #[test]
    fn messages_name_byte_and_position() {
        let fault = Parts::bare(b"ab\r\nflush_all").check().unwrap_err();
        assert_eq!(
            fault,
            KeyError::Byte {
                byte: 13,
                position: 2
            }
        );
        assert_eq!(fault.to_string(), "byte 0x0d at position 2 given");
    }

    #[test]
    fn parts_equal_their_joined_bytes_only() {
        let key = Parts {
            head: b"a:"[..].into(),
            key: b"bc",
        };
        assert!(key.equals(b"a:bc"));
        for other in [&b"a:b"[..], b"a:bcd", b"b:bc", b"a:cc", b"bc", b""] {
            assert!(!key.equals(other));
        }
    }

    #[test]
    fn list_gives_back_what_was_pushed_and_refuses_the_rest() {
        let mut list = KeyList::new();
        list.push(Parts {
            head: b"p:"[..].into(),
            key: b"one",
        })
        .unwrap();
        assert!(list.push(Parts::bare(b"a b")).is_err());
        list.push(Parts::bare(b"two")).unwrap();
        assert_eq!(list.iter().collect::<Vec<_>>(), [&b"p:one"[..], b"two"]);
    }
}
