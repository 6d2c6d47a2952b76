//! FastLZ, in which PECL memcached compresses values unless told otherwise.
//!
//! A row of instructions. The upper 3 bits of the first byte of one are 0 for literals: the other five are
//! their number less one. 1 to 6 are the length, less 2, of a copy of earlier output; 7 says that more length follows. The
//! other five bits and one byte more are how far back the copy begins, less one. The upper 3 bits of the very first byte, which
//! always begins literals, are the level less one: level 2 has longer lengths and distances.

/// The farthest that a copy of level 1 begins back.
const FAR: usize = 1 << 13;
/// The longest copy in one instruction of level 1.
const LONGEST: usize = 264;
/// The shortest copy.
const SHORTEST: usize = 3;
const MOST_LITERALS: usize = 32;
/// No copy begins within so many bytes of the end,
const NO_COPY: usize = 12;
/// and the last bytes are always literals: decoders read ahead.
const TAIL: usize = 4;
const SLOTS_BITS: u32 = 13;

/// Compresses, in level 1. What doesn't compress grows by a 32nd.
#[must_use]
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 2 + 16);
    // Where the three bytes of a slot's hash were seen last, plus one.
    let mut seen = vec![0u32; 1 << SLOTS_BITS];
    let (mut at, mut literals_from) = (0, 0);
    // Positions have 32 bits.
    let end = data.len().min(u32::MAX as usize).saturating_sub(NO_COPY);
    while at < end {
        let slot = slot(&data[at..]);
        let before = std::mem::replace(&mut seen[slot], at as u32 + 1) as usize;
        let distance = (at + 1).wrapping_sub(before);
        if before == 0 || distance > FAR || data[before - 1..][..3] != data[at..][..3] {
            at += 1;
            continue;
        }
        let length = SHORTEST
            + data[before - 1 + SHORTEST..]
                .iter()
                .zip(&data[at + SHORTEST..data.len() - TAIL])
                .take_while(|(a, b)| a == b)
                .count();
        push_literals(&mut out, &data[literals_from..at]);
        at += push_copy(&mut out, length, distance);
        literals_from = at;
    }
    push_literals(&mut out, &data[literals_from..]);
    out
}

fn slot(data: &[u8]) -> usize {
    let three = u32::from_le_bytes([data[0], data[1], data[2], 0]);
    (three.wrapping_mul(0x9e37_79b1) >> (32 - SLOTS_BITS)) as usize
}

fn push_literals(out: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(MOST_LITERALS) {
        out.push(run.len() as u8 - 1);
        out.extend_from_slice(run);
    }
}

/// Copies `length` bytes that begin `distance` back, or one or two fewer; how many.
fn push_copy(out: &mut Vec<u8>, length: usize, distance: usize) -> usize {
    let [high, low] = ((distance - 1) as u16).to_be_bytes();
    let mut left = length;
    while left >= SHORTEST {
        let run = left.min(LONGEST);
        left -= run;
        if run < 9 {
            out.extend_from_slice(&[((run - 2) as u8) << 5 | high, low]);
        } else {
            out.extend_from_slice(&[7 << 5 | high, (run - 9) as u8, low]);
        }
    }
    length - left
}

/// Decompresses either level into exactly `size` bytes; `None`: not FastLZ, cut short, of another length, or more than there
/// is memory for. Nothing beyond `size` is ever built.
#[must_use]
pub fn decompress(data: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut input = data;
    let first = next(&mut input)?;
    let is_second_level = match first >> 5 {
        0 => false,
        1 => true,
        _ => return None,
    };
    // A byte gives at most so many: no size that a header merely claims is allocated, nor ends the process if it can't be.
    let mut out = Vec::new();
    out.try_reserve_exact(size.min(data.len().saturating_mul(LONGEST)))
        .ok()?;
    let mut instruction = first & 31;
    loop {
        if instruction < 32 {
            let run = usize::from(instruction) + 1;
            let (literals, rest) = input.split_at_checked(run)?;
            if run > size - out.len() {
                return None;
            }
            out.extend_from_slice(literals);
            input = rest;
        } else {
            let mut run = usize::from(instruction >> 5) + 2;
            if run == 9 {
                loop {
                    let more = next(&mut input)?;
                    run += usize::from(more);
                    if !is_second_level || more < 255 {
                        break;
                    }
                }
            }
            let low = next(&mut input)?;
            let mut distance = usize::from(instruction & 31) << 8 | usize::from(low);
            if is_second_level && distance == FAR - 1 {
                distance += usize::from(next(&mut input)?) << 8;
                distance += usize::from(next(&mut input)?);
            }
            let from = out.len().checked_sub(distance + 1)?;
            if run > size - out.len() {
                return None;
            }
            copy(&mut out, from, run);
        }
        match next(&mut input) {
            Some(byte) => instruction = byte,
            None => return (out.len() == size).then_some(out),
        }
    }
}

fn next(input: &mut &[u8]) -> Option<u8> {
    let (first, rest) = input.split_first()?;
    *input = rest;
    Some(*first)
}

/// Appends `run` bytes from `from` on, which may run into those appended: then they repeat.
fn copy(out: &mut Vec<u8>, from: usize, mut run: usize) {
    while run > 0 {
        let part = run.min(out.len() - from);
        out.extend_from_within(from..from + part);
        run -= part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn literals_and_copies() {
        for (data, packed) in [
            (&b""[..], &b""[..]),
            (b"a", b"\0a"),
            (b"abcabcabcabcabcabcabcabc", b"\x02abc\xe0\x08\x02\x03cabc"),
        ] {
            assert_eq!(compress(data), packed, "{}", data.escape_ascii());
        }
        let zeros = compress(&[0; 5000]);
        assert_eq!(&zeros[..5], b"\0\0\xe0\xff\0", "as long as can be");
        assert!(zeros.len() < 90);
    }

    #[test]
    fn nothing_but_what_was_compressed_is_read() {
        let packed =
            compress(&b"some text, and some text, and more text, and then no more of it".repeat(3));
        for (data, size, expected) in [
            (&b""[..], 0, None),
            (b"\0a", 1, Some(&b"a"[..])),
            (b"\0a", 2, None),
            (b"\x01a", 2, None),
            (b"\x01ab", 1, None),
            (b"\x40a", 1, None),
            (b"\0a\x20", 4, None),
            (b"\0a\x20\0", 4, Some(b"aaaa")),
            (b"\0a\x20\x01", 4, None),
            (b"\0a\xe0\xff\0", 265, Some(&[b'a'; 265])),
            (b"\0a\xe0\xff\0", 264, None),
            (b"\x20a\xe0\xff\x01\0", 266, Some(&[b'a'; 266])),
            (b"\x20a\x3f\xff\0", 4, None),
            (b"\x20a\x3f\xff\0\0", 4, None),
        ] {
            assert_eq!(
                decompress(data, size).as_deref(),
                expected,
                "{}",
                data.escape_ascii()
            );
        }
        for cut in 0..packed.len() {
            assert_eq!(decompress(&packed[..cut], 192), None, "{cut}");
        }
    }

    #[test]
    fn a_far_copy_of_the_second_level() {
        let mut packed = vec![0x20 | 31];
        let text: Vec<u8> = (0..9000u32).map(|i| ((i * 7919) >> 3) as u8).collect();
        packed.extend_from_slice(&text[..32]);
        push_literals(&mut packed, &text[32..]);
        packed.extend_from_slice(&[0x3f, 0xff, 0x01, 0x02]);
        let from = text.len() - (FAR + 0x102);
        let expected = [&text[..], &text[from..from + 3]].concat();
        assert_eq!(decompress(&packed, 9003), Some(expected));
    }

    #[test]
    fn a_claimed_size_is_not_allocated() {
        assert_eq!(decompress(b"\0a", usize::MAX), None);
        assert_eq!(decompress(b"\0a\xe0\xff\0", 1 << 40), None);
    }

    /// Miri takes a minute for the usual number.
    const MOST_PIECES: usize = if cfg!(miri) { 4 } else { 40 };

    proptest! {
        #[test]
        fn what_comes_out_is_what_went_in(
            pieces in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..40), 1..60usize), 0..MOST_PIECES),
        ) {
            let data: Vec<u8> = pieces.iter().flat_map(|(piece, times)| piece.repeat(*times)).collect();
            let packed = compress(&data);
            prop_assert!(packed.len() <= data.len() + data.len().div_ceil(32));
            let expected = (!data.is_empty()).then(|| data.clone());
            prop_assert_eq!(decompress(&packed, data.len()), expected);
        }

        #[test]
        fn any_bytes_are_read_or_refused(data in prop::collection::vec(any::<u8>(), 0..200), size in 0..2000usize) {
            if let Some(read) = decompress(&data, size) {
                prop_assert_eq!(read.len(), size);
            }
        }
    }
}
