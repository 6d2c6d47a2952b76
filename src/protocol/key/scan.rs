//! Which bytes may be in a key, and its hash: both found out in one pass, eight bytes at a time.

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
pub(super) struct Scan {
    /// The high bit of every byte stays set as long as no byte in its place was bad.
    good: u64,
    hash: u64,
}

impl Scan {
    #[inline(always)]
    pub const fn new() -> Self {
        Scan {
            good: HIGH_BITS,
            hash: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Takes the words of `key` from that number on, and what is left behind them.
    #[inline(always)]
    pub fn finish(mut self, key: &[u8], from: usize) -> Option<u64> {
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
    pub fn take(&mut self, word: [u8; 8]) {
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
}
