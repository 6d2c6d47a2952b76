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

    /// How many `HD` without flags come next in `bytes`, if nothing was left: servers before 1.6.40 answer so to
    /// every creation of a quiet run.
    pub fn leading_hds(&self, bytes: &[u8]) -> u64 {
        if self.is_mid_reply() {
            return 0;
        }
        let (lines, _) = bytes.as_chunks::<4>();
        lines.iter().take_while(|line| *line == b"HD\r\n").count() as u64
    }

    /// Replies were taken without being fed.
    pub fn skipped(&mut self) {
        self.blanks = 0;
    }

    /// Hands every whole reply in what was left and `bytes` to `on`, in order.
    ///
    /// # Errors
    /// The first that `on` gives, or that of bytes that are no reply. Nothing may be fed after.
    pub fn feed<E: From<Malformed>>(
        &mut self,
        bytes: &[u8],
        mut on: impl FnMut(Reply<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.rest.is_empty() {
            let (used, need) = replies(bytes, &mut self.blanks, &mut on)?;
            self.rest.extend_from_slice(&bytes[used..]);
            self.need = need;
            return Ok(());
        }
        self.rest.extend_from_slice(bytes);
        if self.rest.len() < self.need {
            return Ok(());
        }
        let (used, need) = replies(&self.rest, &mut self.blanks, &mut on)?;
        self.need = need;
        if used == self.rest.len() && self.rest.capacity() > 64 << 10 {
            // A big value has passed: give its memory back.
            self.rest = Vec::new();
        } else {
            self.rest.drain(..used);
        }
        Ok(())
    }
}

/// How many bytes were whole replies, and how many the next one needs.
fn replies<E: From<Malformed>>(
    bytes: &[u8],
    blanks: &mut usize,
    on: &mut impl FnMut(Reply<'_>) -> Result<(), E>,
) -> Result<(usize, usize), E> {
    let mut used = 0;
    while used < bytes.len() {
        match reply::decode(&bytes[used..]) {
            Step::Reply(reply, size) => {
                on(reply)?;
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
                .feed::<Malformed>(piece, |reply| {
                    all.push(format!("{reply:?}"));
                    Ok(())
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

    #[test]
    fn leading_hds_are_whole_lines_that_begin_a_reply() {
        let mut inbox = Inbox::default();
        for (bytes, count) in [
            (&b"HD\r\nHD\r\nMN\r\nHD\r\n"[..], 2),
            (b"HD\r\nHD s1\r\n", 1),
            (b"HD\r\nHD\r", 1),
            (b"", 0),
        ] {
            assert_eq!(inbox.leading_hds(bytes), count);
        }
        inbox.feed::<Malformed>(b"VA 4\r\n", |_| Ok(())).unwrap();
        assert_eq!(inbox.leading_hds(b"HD\r\n\r\n"), 0, "a value");
    }

    #[test]
    fn garbage_is_an_error_where_it_stands() {
        let mut seen = 0;
        let outcome = Inbox::default().feed(b"HD\r\nwhat?\r\nHD\r\n", |_| {
            seen += 1;
            Ok(())
        });
        assert_eq!((outcome, seen), (Err(Malformed::UnknownReply), 1));
    }
}
