//! Stats keys, byte for byte those of MediaWiki's memcached BagOStuff:
//! `keyspace:prefix…:metric:sequence:bucket[:entity…]`.
//!
//! Components are percent-encoded outside `[\x21-\x22\x24\x26-\x39\x3b-\x7e]` (a space becomes `_` first), so a
//! separator within a component can't be taken for one between two. A key of more than 205 bytes is shortened by one
//! of two rules. Both leave shorter keys alone, so a key can be built plainly first and shortened afterwards.

use super::store::KeyParts;
use crate::client::config::LongKeys;
use md5::{Digest, Md5};
use sha2::Sha256;

/// Keys up to this many bytes stay as they are: memcached's 250 less what wrappers such as WANObjectCache may add.
pub(super) const LONGEST_PLAIN: usize = 205;
/// A component is hashed only while more than this many bytes are left for it: a `#` and an MD5 in hexadecimal.
const HASHED_COMPONENT: i64 = 33;
/// The keyspace of global entities.
const GLOBAL: &[u8] = b"global";
const LONG_KEY: &[u8] = b"BagOStuff-long-key:##";

/// What the keys of one handle have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStyle {
    /// First component of local keys, not encoded; those of global entities have `global`.
    pub keyspace: Box<[u8]>,
    /// How long keys are shortened.
    pub long_keys: LongKeys,
    /// Most bytes that a key may have: memcached's 250 less what comes before it on the wire.
    pub room: usize,
}

impl KeyStyle {
    /// The keyspace of local or global keys.
    pub fn keyspace(&self, global: bool) -> &[u8] {
        if global { GLOBAL } else { &self.keyspace }
    }

    /// Whether all keys fit into the room, whatever their components.
    pub(super) fn fits_all(&self) -> bool {
        const SHA256: usize = 64;
        let shortened = self.keyspace.len().max(GLOBAL.len()) + 1 + LONG_KEY.len() + SHA256;
        self.room >= LONGEST_PLAIN.max(shortened)
    }

    /// Appends the finished key of `parts` to `out`.
    pub fn write_key(&self, parts: &KeyParts<'_>, out: &mut Vec<u8>) {
        let start = out.len();
        let keyspace = self.keyspace(parts.entity.is_global());
        out.extend_from_slice(keyspace);
        for component in parts.prefix {
            write_component(component, out);
        }
        write_component(parts.metric, out);
        write_component(parts.sequence, out);
        out.push(b':');
        out.extend_from_slice(itoa::Buffer::new().format(parts.bucket).as_bytes());
        for component in parts.entity.components() {
            write_component(component, out);
        }
        self.shorten(keyspace.len(), out, start);
    }

    /// Shortens the plain key that begins at `start` and whose keyspace has `keyspace` bytes, if it is too long.
    #[inline]
    pub(super) fn shorten(&self, keyspace: usize, out: &mut Vec<u8>, start: usize) {
        if out.len() - start > LONGEST_PLAIN {
            let short = match self.long_keys {
                LongKeys::MediaWiki139 => shorten_139(&out[start..], keyspace),
                LongKeys::MediaWiki145 => shorten_145(&out[start..]),
            };
            out.truncate(start);
            out.extend_from_slice(&short);
        }
    }
}

/// Bytes that components hold as they are.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x21;
    while byte <= 0x7e {
        plain[byte] = byte != b'#' as usize && byte != b'%' as usize && byte != b':' as usize;
        byte += 1;
    }
    plain
};

/// Appends a separator and the encoded component.
pub(super) fn write_component(component: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push(b':');
    if component.iter().all(|&byte| PLAIN[usize::from(byte)]) {
        out.extend_from_slice(component);
        return;
    }
    for &byte in component {
        match byte {
            _ if PLAIN[usize::from(byte)] => out.push(byte),
            b' ' => out.push(b'_'),
            _ => out.extend_from_slice(&[
                b'%',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]),
        }
    }
}

/// Until 1.45, long components become `#` and their MD5 while there is room for that; if the budget is overdrawn all
/// the same, the whole does.
#[cold]
fn shorten_139(plain: &[u8], keyspace: usize) -> Vec<u8> {
    let (keyspace, rest) = plain.split_at(keyspace);
    // Encoded components hold no separator, so those found are those written.
    let mut components: Vec<Vec<u8>> = rest[1..]
        .split(|&byte| byte == b':')
        .map(<[u8]>::to_vec)
        .collect();
    let mut left = LONGEST_PLAIN as i64 - keyspace.len() as i64 - components.len() as i64;
    for component in &mut components {
        if left > HASHED_COMPONENT && component.len() as i64 > left {
            *component = [b"#".as_slice(), &hex(&Md5::digest(&*component))].concat();
        }
        left -= component.len() as i64;
    }
    let joined = components.join(&b':');
    if left < 0 {
        return [keyspace, b":", LONG_KEY, &hex(&Md5::digest(joined))].concat();
    }
    [keyspace, b":", &joined].concat()
}

/// From 1.45 on, the whole becomes a SHA-256 behind the keyspace and the first component, or behind the keyspace
/// alone where that is too long.
#[cold]
fn shorten_145(plain: &[u8]) -> Vec<u8> {
    let hash = hex(&Sha256::digest(plain));
    let mut components = plain.split(|&byte| byte == b':');
    let keyspace = decode_separators(components.next().unwrap_or_default());
    let group = decode_separators(components.next().unwrap_or_default());
    let short = [&keyspace, b":".as_slice(), &group, b":#", &hash].concat();
    if short.len() > LONGEST_PLAIN {
        [&keyspace, b":".as_slice(), LONG_KEY, &hash].concat()
    } else {
        short
    }
}

/// MediaWiki 1.45 takes back the encoding of `:` and `%`, and of nothing else, in what it keeps of a long key.
fn decode_separators(component: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(component.len());
    let mut rest = component;
    while let [first, tail @ ..] = rest {
        (rest, _) = match rest {
            [b'%', b'3', b'A', tail @ ..] => (tail, decoded.push(b':')),
            [b'%', b'2', b'5', tail @ ..] => (tail, decoded.push(b'%')),
            _ => (tail, decoded.push(*first)),
        };
    }
    decoded
}

fn hex(digest: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    digest
        .iter()
        .flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::entity::EntityView;
    use super::*;

    fn key(rule: LongKeys, keyspace: &str, components: &[&[u8]]) -> String {
        // The bucket is always there: the last component but the entity's.
        let prefix: Vec<Box<[u8]>> = components.iter().map(|&c| c.into()).collect();
        let (prefix, rest) = prefix.split_at(components.len() - 2);
        let parts = KeyParts {
            prefix,
            metric: &rest[0],
            sequence: &rest[1],
            bucket: 5,
            entity: EntityView::for_test(false, &[]),
        };
        let mut out = b"before".to_vec();
        KeyStyle {
            keyspace: keyspace.as_bytes().into(),
            long_keys: rule,
            room: 250,
        }
        .write_key(&parts, &mut out);
        String::from_utf8(out.split_off(6)).unwrap()
    }

    #[test]
    fn components_are_encoded_as_mediawiki_does() {
        for rule in [LongKeys::MediaWiki139, LongKeys::MediaWiki145] {
            assert_eq!(
                key(rule, "local", &[b"WRStats", b"hits", b""]),
                "local:WRStats:hits::5"
            );
            assert_eq!(
                key(
                    rule,
                    "my wiki",
                    &[b"a b", b"c:d%e#f", "é\x00\x7f~!\"$&".as_bytes()]
                ),
                "my wiki:a_b:c%3Ad%25e%23f:%C3%A9%00%7F~!\"$&:5"
            );
        }
    }

    #[test]
    fn keys_up_to_205_bytes_stay_as_they_are() {
        for rule in [LongKeys::MediaWiki139, LongKeys::MediaWiki145] {
            let fits = vec![b'x'; 205 - "local:p:::5".len()];
            assert_eq!(key(rule, "local", &[b"p", &fits, b""]).len(), 205);
            assert_eq!(&key(rule, "local", &[b"p", &fits, b""])[..9], "local:p:x");
        }
    }

    #[test]
    fn long_keys_before_1_45() {
        // As printed by MediaWiki 1.39.17's MemcachedPeclBagOStuff for the same components.
        let (a, b) = ([b'a'; 180], [b'b'; 120]);
        let long = |components: &[&[u8]]| key(LongKeys::MediaWiki139, "local", components);
        assert_eq!(
            long(&[&a[..150], &b[..60], b""]),
            format!(
                "local:{}:#3cb5465a7e33b90e250e8e24a764e65a::5",
                "a".repeat(150)
            )
        );
        assert_eq!(
            long(&[&a[..100], &b, b"z"]),
            format!(
                "local:{}:#c8eb298682a7890e3136465d34d5ec25:z:5",
                "a".repeat(100)
            )
        );
        // One byte too many, and no single component that is longer than what is left for it.
        assert_eq!(
            long(&[b"p", &[b'x'; 195], b""]),
            "local:BagOStuff-long-key:##b00c1e488e697e73ac177c436a125bb7"
        );
        assert_eq!(
            long(&[&a, &b, b"z"]),
            "local:BagOStuff-long-key:##e8cc501ebf9bb974644a4acabc4fbfd6"
        );
    }

    #[test]
    fn long_keys_from_1_45() {
        // Hashes as printed by `hash("sha256", …)` for the plain key.
        let (a, b) = ([b'a'; 150], [b'b'; 220]);
        let long = |components: &[&[u8]]| key(LongKeys::MediaWiki145, "local", components);
        assert_eq!(
            long(&[&a[..100], &b[..120], b""]),
            format!(
                "local:{}:#bd9899af0111192ba5b1308f6a9d6537551b3f43feac3c8284e52357f237e423",
                "a".repeat(100)
            )
        );
        assert_eq!(
            long(&[&a, &b[..60], b""]),
            "local:BagOStuff-long-key:##e3c4a104a990bd30f51778b181dc34191c569fd6ad222334a63ffe36316c49f4"
        );
        // What stays of the key is decoded where it held a separator or a percent sign.
        assert_eq!(
            long(&[b"a:b%\0", &b, b""]).split_once(":#").unwrap().0,
            "local:a:b%%00"
        );
    }
}
