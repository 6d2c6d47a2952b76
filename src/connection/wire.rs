//! Bytes on their way out, and where in them the background commands end.
//!
//! A command of which one byte was sent may have reached the server and is never sent again; one of which none was
//! is taken back to the queue when the connection ends.

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// To be sent from `sent` on.
    pub bytes: Vec<u8>,
    sent: usize,
    /// Where each background command ends.
    ends: Vec<u32>,
    /// How many of those have begun to be sent.
    begun: usize,
    /// Where the questions of a waiting call begin; `None`: not in it, or not any more.
    asks: Option<usize>,
}

impl Wire {
    /// Whether nothing is left to send.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What is left to send.
    pub fn unsent(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    /// A background command ends here.
    #[inline(always)]
    pub fn end_command(&mut self) {
        self.ends.push(self.bytes.len() as u32);
    }

    /// Background commands of which no byte was sent.
    pub fn commands(&self) -> u64 {
        (self.ends.len() - self.begun) as u64
    }

    /// The questions of a waiting call, which are taken out of `asks`.
    pub fn push_asks(&mut self, asks: &mut Vec<u8>) {
        self.asks = Some(self.bytes.len());
        if self.bytes.is_empty() {
            std::mem::swap(&mut self.bytes, asks);
        } else {
            self.bytes.append(asks);
        }
    }

    /// Whether all of them have begun to be sent that were put in here.
    pub fn have_asks_left(&self) -> bool {
        self.asks.is_none_or(|start| self.sent > start)
    }

    /// The kernel took `n` bytes: how many commands have begun to be sent by that. When none of the bytes is left, it
    /// [is empty](Self::is_empty).
    pub fn transmitted(&mut self, n: usize) -> u64 {
        self.sent += n;
        debug_assert!(self.sent <= self.bytes.len());
        let before = self.begun;
        if self.sent == self.bytes.len() {
            let sent = (self.ends.len() - before) as u64;
            self.empty();
            return sent;
        }
        let start = |begun: usize| match begun {
            0 => 0,
            _ => self.ends[begun - 1] as usize,
        };
        while self.begun < self.ends.len() && start(self.begun) < self.sent {
            self.begun += 1;
        }
        (self.begun - before) as u64
    }

    fn empty(&mut self) {
        self.bytes.clear();
        self.sent = 0;
        self.ends.clear();
        self.begun = 0;
        self.asks = None;
    }

    /// Gives back what only a burst needs.
    pub fn shrink(&mut self) {
        if self.bytes.is_empty() {
            self.bytes.shrink_to(8 << 10);
            self.ends.shrink_to(512);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three commands of 4, 3 and 5 bytes behind 2 bytes of another kind.
    fn wire() -> Wire {
        let mut wire = Wire::default();
        wire.bytes.extend_from_slice(b"--");
        for command in [b"aaaa".as_slice(), b"bbb", b"ccccc"] {
            wire.bytes.extend_from_slice(command);
            wire.end_command();
        }
        wire
    }

    #[test]
    fn a_command_has_begun_with_its_first_byte_and_what_stands_before_the_first_counts_as_its() {
        for (sent, begun) in [
            (1, 1),
            (2, 1),
            (3, 1),
            (6, 1),
            (7, 2),
            (9, 2),
            (10, 3),
            (13, 3),
            (14, 3),
        ] {
            let mut at_once = wire();
            assert_eq!(at_once.transmitted(sent), begun, "{sent}");
            assert_eq!(at_once.is_empty(), sent == 14);
            let mut one_by_one = wire();
            let sum: u64 = (0..sent).map(|_| one_by_one.transmitted(1)).sum();
            assert_eq!(sum, begun, "{sent}");
            assert_eq!(
                one_by_one.commands(),
                if sent == 14 { 0 } else { 3 - begun }
            );
            assert_eq!(one_by_one.unsent().len(), 14 - sent);
        }
    }

    #[test]
    fn questions_have_left_with_their_first_byte() {
        let mut wire = wire();
        let mut asks = b"get k\r\n".to_vec();
        wire.push_asks(&mut asks);
        assert!(asks.is_empty() && !wire.have_asks_left());
        wire.transmitted(14);
        assert!(!wire.have_asks_left());
        wire.transmitted(1);
        assert!(wire.have_asks_left());
        assert_eq!(wire.transmitted(6), 0);
        assert!(wire.is_empty() && wire.have_asks_left());
    }
}
