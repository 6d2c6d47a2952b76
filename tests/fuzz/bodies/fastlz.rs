//! FastLZ: what was compressed comes back, and any other bytes give what they say, of exactly the size that is asked for, or
//! nothing.

use super::Feed;
use wrstats::protocol::fastlz::{compress, decompress};

pub fn run(data: &[u8]) {
    comes_back(data);
    // Longer than inputs are, so that copies are long and far.
    let (mut feed, mut repeated) = (Feed(data), Vec::new());
    while let Some(times) = feed.next() {
        repeated.extend(feed.bytes().repeat(usize::from(times)));
    }
    comes_back(&repeated);

    // As if it came from a server.
    let read = read(data);
    let length = read.as_ref().map_or(data.len(), |read| read.output.len());
    assert_eq!(
        decompress(data, length),
        read.map(|read| read.output),
        "{}",
        data.escape_ascii()
    );
    refused(data, length);
}

fn comes_back(data: &[u8]) {
    let packed = compress(data);
    assert!(packed.len() <= data.len() + data.len().div_ceil(32));
    let Some(read) = read(&packed) else {
        assert!(data.is_empty() && packed.is_empty());
        return;
    };
    assert!(
        read.output == data,
        "another decoder reads what was compressed"
    );
    assert!(
        read.copied_to == 0 || read.copied_to + 4 <= data.len(),
        "decoders read ahead: the last bytes are literals"
    );
    assert!(decompress(&packed, data.len()).as_deref() == Some(data));
    refused(&packed, data.len());
}

/// No other size than theirs is believed.
fn refused(data: &[u8], length: usize) {
    let shorter = [0, length / 2, length.saturating_sub(1)];
    let longer = [length + 1, length * 2 + 1, usize::MAX];
    for other in shorter.into_iter().chain(longer) {
        if other != length {
            assert_eq!(decompress(data, other), None, "{other} for {length}");
        }
    }
}

/// What [`read`] made.
struct Read {
    output: Vec<u8>,
    /// Where the last copy ended; 0: there was none.
    copied_to: usize,
}

/// Another decoder, a byte at a time.
fn read(data: &[u8]) -> Option<Read> {
    let mut input = data.iter().map(|&byte| usize::from(byte));
    let (mut output, mut copied_to) = (Vec::new(), 0);
    let first = input.next()?;
    let level = (first >> 5) + 1;
    if level > 2 {
        return None;
    }
    let mut next = Some(first & 0x1f);
    while let Some(instruction) = next {
        let (kind, low_bits) = (instruction >> 5, instruction & 0x1f);
        if kind == 0 {
            for _ in 0..=low_bits {
                output.push(input.next()? as u8);
            }
        } else {
            let mut length = kind + 2;
            let mut goes_on = kind == 7;
            while goes_on {
                let more = input.next()?;
                length += more;
                goes_on = level == 2 && more == 0xff;
            }
            let mut back = (low_bits << 8) + input.next()? + 1;
            if level == 2 && back == 0x2000 {
                back += (input.next()? << 8) + input.next()?;
            }
            let from = output.len().checked_sub(back)?;
            for at in from..from + length {
                output.push(output[at]);
            }
            copied_to = output.len();
        }
        next = input.next();
    }
    Some(Read { output, copied_to })
}
