//! Keys: 1 to 250 bytes on the wire, none of them a space, a control character or DEL.
//!
//! protocol.txt forbids "control characters or whitespace"; the server itself lets some of them
//! through in meta commands, so the check has to be ours. Bytes above 0x7f are allowed.

mod list;
mod scan;

use std::fmt;

pub use list::KeyList;
use scan::Scan;
pub use scan::{is_bad, len_at, scan};

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
        // Most handles put nothing before a key.
        if self.head.is_empty() {
            return to.copy_from_slice(self.key);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
