//! Bytes received, cut into replies.

use crate::protocol::reply::{self, Malformed, Reply, Step};

/// Most blank lines skipped between two replies. Far more than any server sends, but an end to what
/// would otherwise be read for ever. (Miri would take minutes.)
const MAX_BLANKS: usize = if cfg!(miri) { 1 << 10 } else { 1 << 20 };

/// Keeps what is left of the last read: at most one reply that is not whole yet.
#[derive(Debug, Default)]
pub struct Inbox {
    rest: Vec<u8>,
    /// Nothing can come of `rest` before it has this many bytes.
    need: usize,
    /// Blank lines since the last reply.
    blanks: usize,
}

impl Inbox {
    /// Whether a reply has begun and not ended.
    pub fn is_mid_reply(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Forgets everything (a new connection).
    pub fn clear(&mut self) {
        self.rest = Vec::new();
        self.need = 0;
        self.blanks = 0;
    }

    /// Hands every whole reply in what was left and `bytes` to `on`, in order.
    ///
    /// # Errors
    /// The first that `on` gives, or that of bytes that are no reply. Nothing may be fed after.
    pub fn feed<E: From<Malformed>>(
        &mut self,
        mut bytes: &[u8],
        on: &mut impl Sink<E>,
    ) -> Result<(), E> {
        while self.is_mid_reply() && !bytes.is_empty() {
            let (piece, behind) = bytes.split_at(self.missing(bytes));
            bytes = behind;
            self.rest.extend_from_slice(piece);
            if self.rest.len() < self.need {
                return Ok(());
            }
            let (used, need) = replies(&self.rest, &mut self.blanks, on)?;
            self.need = need;
            if used == self.rest.len() && self.rest.capacity() > 64 << 10 {
                // A big value has passed: give its memory back.
                self.rest = Vec::new();
            } else {
                self.rest.drain(..used);
            }
        }
        let (used, need) = replies(bytes, &mut self.blanks, on)?;
        if used < bytes.len() {
            self.rest.extend_from_slice(&bytes[used..]);
            self.need = need;
        }
        Ok(())
    }

    /// How many of `bytes` belong to the reply that has begun: as many as it is known to need, and up to the end
    /// of a line if it is not known to end there.
    fn missing(&self, bytes: &[u8]) -> usize {
        let least = self.need.saturating_sub(self.rest.len()).max(1);
        let line = bytes.iter().skip(least - 1).position(|&b| b == b'\n');
        line.map_or(bytes.len(), |end| least + end)
    }
}

/// Who takes replies.
pub trait Sink<E> {
    /// The next reply.
    ///
    /// # Errors
    /// When it can't be due: there will be no more calls.
    fn reply(&mut self, reply: Reply<'_>) -> Result<(), E>;

    /// The next replies are `count` times `HD` without flags: how many of them were taken as such. Servers before
    /// 1.6.40 answer so to every creation of a quiet run.
    fn hds(&mut self, _count: u64) -> u64 {
        0
    }
}

impl<E, F: FnMut(Reply<'_>) -> Result<(), E>> Sink<E> for F {
    fn reply(&mut self, reply: Reply<'_>) -> Result<(), E> {
        self(reply)
    }
}

const HD: &[u8; 4] = b"HD\r\n";

/// How many bytes were whole replies, and how many the next one needs.
fn replies<E: From<Malformed>>(
    bytes: &[u8],
    blanks: &mut usize,
    on: &mut impl Sink<E>,
) -> Result<(usize, usize), E> {
    let mut used = 0;
    // Where the last row of `HD` ends: what was not taken of it is not offered again.
    let mut offered = 0;
    while used < bytes.len() {
        let (lines, _) = bytes[used..].as_chunks::<4>();
        if used >= offered && lines.first() == Some(HD) {
            let count = lines.iter().take_while(|line| *line == HD).count();
            offered = used + count * HD.len();
            let taken = on.hds(count as u64);
            if taken > 0 {
                used += taken as usize * HD.len();
                *blanks = 0;
                continue;
            }
        }
        match reply::decode(&bytes[used..]) {
            Step::Reply(reply, size) => {
                on.reply(reply)?;
                used += size;
                *blanks = 0;
            }
            Step::Blank(_) if *blanks == MAX_BLANKS => return Err(Malformed::BlankLines.into()),
            Step::Blank(size) => {
                used += size;
                *blanks += 1;
            }
            Step::More(need) => return Ok((used, need)),
            Step::Broken(malformed) => return Err(malformed.into()),
        }
    }
    Ok((used, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] =
        b"HD\r\n\r\nVALUE k 1 5\r\na\r\nb\r\r\n\r\nEND\r\nVA 2 s2\r\n10\r\n7\r\nMN\r\n";

    fn fed_in(pieces: impl Iterator<Item = usize>) -> Vec<String> {
        let mut inbox = Inbox::default();
        let mut all = Vec::new();
        let mut rest = STREAM;
        for size in pieces {
            let (piece, later) = rest.split_at(size.min(rest.len()));
            rest = later;
            inbox
                .feed(piece, &mut |reply: Reply<'_>| {
                    all.push(format!("{reply:?}"));
                    Ok::<_, Malformed>(())
                })
                .unwrap();
        }
        assert!(rest.is_empty() && !inbox.is_mid_reply());
        all
    }

    #[test]
    fn the_same_replies_however_the_bytes_come() {
        let whole = fed_in([STREAM.len()].into_iter());
        assert_eq!(whole.len(), 6);
        let step = if cfg!(miri) { 7 } else { 1 };
        for first in (0..STREAM.len()).step_by(step) {
            for size in 1..7 {
                assert_eq!(fed_in([first].into_iter().chain([size; 99])), whole);
            }
        }
    }

    /// Takes rows of `HD` up to a number, then the rest one by one.
    struct Rows {
        left: u64,
        seen: Vec<String>,
    }

    impl Sink<Malformed> for Rows {
        fn reply(&mut self, reply: Reply<'_>) -> Result<(), Malformed> {
            self.seen.push(format!("{reply:?}"));
            Ok(())
        }
        fn hds(&mut self, count: u64) -> u64 {
            let taken = count.min(self.left);
            self.left -= taken;
            if taken > 0 {
                self.seen.push(format!("{taken} of {count}"));
            }
            taken
        }
    }

    #[test]
    fn rows_of_hd_are_whole_lines_that_begin_a_reply() {
        for (pieces, left, seen) in [
            (
                &["HD\r\nHD\r\nMN\r\nHD\r\n"][..],
                9,
                &["2 of 2", "Mn", "1 of 1"][..],
            ),
            (&["HD\r\nHD s1\r\n"], 9, &["1 of 1", "Hd"]),
            // A cut in a reply is mended where it is: what comes behind are whole lines again.
            (
                &["HD\r\nHD\r", "\nHD\r\nHD\r\n", "HD\r\n"],
                9,
                &["1 of 1", "1 of 1", "2 of 2", "1 of 1"],
            ),
            // No more than the sink knows to be due.
            (&["HD\r\nHD\r\nHD\r\n"], 1, &["1 of 3", "Hd", "Hd"]),
            // Part of a value.
            (
                &["VALUE k 0 4\r\n", "HD\r\n\r\nHD\r\n"],
                9,
                &["Value(", "1 of 1"],
            ),
        ] {
            let mut inbox = Inbox::default();
            let mut rows = Rows {
                left,
                seen: Vec::new(),
            };
            for piece in pieces {
                let bytes = piece.as_bytes();
                inbox.feed(bytes, &mut rows).unwrap();
            }
            let all = rows.seen.iter().zip(seen);
            assert!(
                rows.seen.len() == seen.len() && all.clone().all(|(a, b)| a.starts_with(b)),
                "{:?}",
                rows.seen
            );
        }
    }

    #[test]
    fn garbage_is_an_error_where_it_stands() {
        let mut seen = 0;
        let outcome = Inbox::default().feed(b"HD\r\nwhat?\r\nHD\r\n", &mut |_: Reply<'_>| {
            seen += 1;
            Ok(())
        });
        assert_eq!((outcome, seen), (Err(Malformed::UnknownReply), 1));
    }
}
