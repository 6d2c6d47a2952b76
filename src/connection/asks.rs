//! The questions of a call that waits, and their answers.
//!
//! They live for one call: either all are answered in it, or the connection is given up.

use std::ops::Range;

use crate::protocol::classic::{self, IncrLines};
use crate::protocol::meta;
use crate::protocol::reply::{ErrorKind, MAX_VALUE, Reply, Value};
use crate::protocol::request::{Action, Command};

use super::{Broken, Dialect};

/// Keys in one `get` line; a longer read is several lines, answered one after the other.
const KEYS_PER_GET: usize = 500;

/// The answer to values longer than [`MAX_VALUE`], which are not sent: what can't be read back need
/// not be written, and from 2^31 bytes on memcached would read the value as commands.
const TOO_LARGE: &[u8] = b"SERVER_ERROR object too large for cache";

/// What one question got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet.
    #[default]
    None,
    /// No such key.
    Missing,
    /// An item; `data` is a range of [`Asks::data`].
    Value {
        /// Client flags.
        flags: u32,
        /// The CAS unique, 0 if not asked for.
        cas: u64,
        /// Where the bytes are.
        data: Range<usize>,
    },
    /// A counter's new value.
    Number(u64),
    /// Stored, deleted, touched.
    Done,
    /// The condition of `add` or `replace` was not met.
    NotStored,
    /// The item has another CAS unique.
    Exists,
    /// An error reply: its whole line.
    Error(ErrorKind, Box<str>),
}

/// What replies one question (or one line of reads) is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// Values of the questions `from..to`, and `END`.
    Read { from: usize, to: usize, next: usize },
    /// One line.
    Line(usize, Line),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Store,
    Delete,
    Touch,
    Decr,
    /// `VA` with the number.
    MetaIncr,
    /// `add` of an [`IncrLines::AddIncr`], whose answer decides nothing.
    AddBefore,
    /// `incr` of it.
    IncrAfter,
    /// `incr` of an [`IncrLines::IncrAdd`].
    IncrBefore,
    /// `add` of it; the start value is the answer if it is stored.
    AddAfter(u64),
}

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Asks {
    wire: Vec<u8>,
    commands: u64,
    /// Lines of reads, to look up what was asked when the lines have gone.
    keys: Vec<u8>,
    /// Where in them the key of each question is.
    places: Vec<Range<usize>>,
    answers: Vec<Answer>,
    data: Vec<u8>,
    due: std::collections::VecDeque<Due>,
}

impl Asks {
    /// Whether some question has no answer yet.
    pub fn is_open(&self) -> bool {
        !self.due.is_empty()
    }

    /// Whether a single line of reads is all that is open, and none of it is on the wire.
    pub fn is_one_read(&self) -> bool {
        self.commands == 1 && self.due.len() == 1 && matches!(self.due[0], Due::Read { .. })
    }

    /// Bytes still to be put on the wire.
    pub fn wire(&mut self) -> &mut Vec<u8> {
        &mut self.wire
    }

    /// Questions whose bytes are taken now.
    pub fn take_commands(&mut self) -> u64 {
        std::mem::take(&mut self.commands)
    }

    /// The answers, in the order of the questions.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The bytes that [`Answer::Value`] points into.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Hands over the answers and the bytes they point into.
    pub fn take_answers(&mut self) -> (Vec<Answer>, Vec<u8>) {
        (
            std::mem::take(&mut self.answers),
            std::mem::take(&mut self.data),
        )
    }

    /// Ready for the next call. Memory above a few pages goes back.
    pub fn clear(&mut self) {
        fn empty<T>(vec: &mut Vec<T>) {
            vec.clear();
            vec.shrink_to(4096 / size_of::<T>());
        }
        empty(&mut self.wire);
        empty(&mut self.keys);
        empty(&mut self.places);
        empty(&mut self.answers);
        empty(&mut self.data);
        self.due.clear();
        self.due.shrink_to(64);
        self.commands = 0;
    }

    /// Reads `keys` (checked wire keys), one question each.
    pub fn read<'k>(&mut self, keys: impl Iterator<Item = &'k [u8]>, with_cas: bool) {
        let mut in_line = 0;
        let mut from = self.answers.len();
        let mut start = self.keys.len();
        self.answers.reserve(keys.size_hint().0);
        for key in keys {
            if in_line == 0 {
                from = self.answers.len();
                start = self.keys.len();
                classic::push_get(&mut self.keys, with_cas);
            }
            self.keys.push(b' ');
            let key_start = self.keys.len();
            self.keys.extend_from_slice(key);
            self.places.push(key_start..self.keys.len());
            self.answers.push(Answer::None);
            in_line += 1;
            if in_line == KEYS_PER_GET {
                self.end_read(from, start);
                in_line = 0;
            }
        }
        if in_line != 0 {
            self.end_read(from, start);
        }
    }

    /// Ends a line that begins at `start`.
    fn end_read(&mut self, from: usize, start: usize) {
        self.wire.extend_from_slice(&self.keys[start..]);
        self.wire.extend_from_slice(b"\r\n");
        self.commands += 1;
        self.due.push_back(Due::Read {
            from,
            to: self.answers.len(),
            next: from,
        });
    }

    /// Asks for one write, answered.
    pub fn write(&mut self, command: &Command<'_>, dialect: Dialect, unix_now: u32) {
        let index = self.answers.len();
        self.answers.push(Answer::None);
        // Reads look keys up by the number of their question.
        self.places.push(0..0);
        if let Action::Store { value, .. } = command.action
            && value.len() > MAX_VALUE
        {
            self.answers[index] = error(ErrorKind::Server, TOO_LARGE);
            return;
        }
        self.commands += 1;
        match command.action {
            Action::Incr { step, ttl, init } if dialect == Dialect::Meta => {
                meta::push_incr_and_get(&mut self.wire, command.key, step, ttl, init, unix_now);
                self.due.push_back(Due::Line(index, Line::MetaIncr));
                return;
            }
            // The other commands are the same everywhere, and their classic replies say more.
            _ => classic::push_answered(&mut self.wire, command, unix_now),
        }
        match command.action {
            Action::Incr { step, init, .. } => {
                let lines = match IncrLines::of(step, init) {
                    IncrLines::AddIncr => [Line::AddBefore, Line::IncrAfter],
                    IncrLines::IncrAdd => [Line::IncrBefore, Line::AddAfter(init)],
                };
                self.due.extend(lines.map(|line| Due::Line(index, line)));
            }
            Action::Decr { .. } => self.due.push_back(Due::Line(index, Line::Decr)),
            Action::Store { .. } => self.due.push_back(Due::Line(index, Line::Store)),
            Action::Delete => self.due.push_back(Due::Line(index, Line::Delete)),
            Action::Touch { .. } => self.due.push_back(Due::Line(index, Line::Touch)),
        }
    }

    /// Takes the next reply.
    ///
    /// # Errors
    /// [`Broken::Unexpected`] when nobody asked for it.
    pub fn settle(&mut self, reply: Reply<'_>) -> Result<(), Broken> {
        match self.due.front().copied() {
            Some(Due::Read { from, to, next }) => self.settle_read(reply, from, to, next),
            Some(Due::Line(index, line)) => {
                self.due.pop_front();
                self.settle_line(reply, index, line)
            }
            None => Err(Broken::Unexpected("that nobody asked for")),
        }
    }

    fn settle_read(
        &mut self,
        reply: Reply<'_>,
        from: usize,
        to: usize,
        next: usize,
    ) -> Result<(), Broken> {
        match reply {
            Reply::Value(value) => {
                // Servers answer in the order asked and leave out what is missing; proxies that
                // split a read may answer in any order.
                let index = (next..to)
                    .chain(from..next)
                    .find(|&i| self.key(i) == value.key && self.answers[i] == Answer::None)
                    .ok_or(Broken::Unexpected("with a key that was not asked for"))?;
                self.answers[index] = self.keep(value);
                if let Some(Due::Read { next, .. }) = self.due.front_mut() {
                    *next = index + 1;
                }
                return Ok(());
            }
            Reply::End => self.end_unanswered(from, to, &Answer::Missing),
            Reply::Error(kind, line) => {
                let error = Answer::Error(kind, String::from_utf8_lossy(line).into());
                self.end_unanswered(from, to, &error);
            }
            _ => return Err(Broken::Unexpected("in answer to a read")),
        }
        self.due.pop_front();
        Ok(())
    }

    fn key(&self, index: usize) -> &[u8] {
        &self.keys[self.places[index].clone()]
    }

    fn keep(&mut self, value: Value<'_>) -> Answer {
        let start = self.data.len();
        self.data.extend_from_slice(value.data);
        Answer::Value {
            flags: value.flags,
            cas: value.cas.unwrap_or(0),
            data: start..self.data.len(),
        }
    }

    fn end_unanswered(&mut self, from: usize, to: usize, answer: &Answer) {
        for slot in &mut self.answers[from..to] {
            if *slot == Answer::None {
                *slot = answer.clone();
            }
        }
    }

    fn settle_line(&mut self, reply: Reply<'_>, index: usize, line: Line) -> Result<(), Broken> {
        let answer = match (line, reply) {
            (Line::AddBefore, Reply::Stored | Reply::NotStored) => return Ok(()),
            // The counter may exist all the same: `incr` tells. If not, this was why.
            (Line::AddBefore, Reply::Error(kind, text)) => error(kind, text),
            (Line::IncrAfter, Reply::NotFound) if self.answers[index] != Answer::None => {
                return Ok(());
            }
            (Line::AddAfter(_), Reply::Stored | Reply::NotStored | Reply::Error(..))
                if self.answers[index] != Answer::None =>
            {
                return Ok(());
            }
            (Line::IncrBefore, Reply::NotFound) => return Ok(()),
            (Line::AddAfter(init), Reply::Stored) => Answer::Number(init),
            // Someone else made it in between, or a proxy answers without asking anyone.
            (Line::AddAfter(_), Reply::NotStored) => Answer::Missing,
            (Line::MetaIncr, Reply::Va(digits)) => {
                let n = crate::protocol::number::parse_stored(digits)
                    .ok_or(Broken::Unexpected("with a counter that is no number"))?;
                Answer::Number(n)
            }
            (Line::MetaIncr, Reply::Nf) => Answer::Missing,
            (Line::MetaIncr, Reply::Ns) => Answer::NotStored,
            (Line::IncrAfter | Line::IncrBefore | Line::Decr, Reply::Number(n)) => {
                Answer::Number(n)
            }
            (Line::IncrAfter | Line::Decr, Reply::NotFound) => Answer::Missing,
            (Line::Store, Reply::Stored) => Answer::Done,
            (Line::Store, Reply::NotStored) => Answer::NotStored,
            (Line::Store, Reply::Exists) => Answer::Exists,
            (Line::Store, Reply::NotFound) => Answer::Missing,
            (Line::Delete, Reply::Deleted) | (Line::Touch, Reply::Touched) => Answer::Done,
            (Line::Delete | Line::Touch, Reply::NotFound) => Answer::Missing,
            (_, Reply::Error(kind, text)) => error(kind, text),
            _ => return Err(Broken::Unexpected("of another command")),
        };
        self.answers[index] = answer;
        Ok(())
    }
}

fn error(kind: ErrorKind, text: &[u8]) -> Answer {
    Answer::Error(kind, String::from_utf8_lossy(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::inbox::Inbox;
    use crate::protocol::request::StoreMode;
    use crate::protocol::ttl::Ttl;

    fn answered(asks: &mut Asks, bytes: &str) -> Result<(), Broken> {
        Inbox::default().feed(bytes.as_bytes(), &mut |reply: Reply<'_>| asks.settle(reply))
    }

    fn wire(asks: &Asks) -> &str {
        std::str::from_utf8(&asks.wire).unwrap()
    }

    #[test]
    fn reads_match_by_key_in_any_order() {
        let mut asks = Asks::default();
        asks.read([&b"a"[..], b"ab", b"c", b"a"].into_iter(), true);
        assert_eq!(wire(&asks), "gets a ab c a\r\n");
        answered(
            &mut asks,
            "VALUE c 0 1 7\r\nC\r\nVALUE a 5 2 8\r\nAA\r\nVALUE a 5 2 8\r\nAA\r\nEND\r\n",
        )
        .unwrap();
        assert!(!asks.is_open());
        let value = |flags, cas, data| Answer::Value { flags, cas, data };
        assert_eq!(
            asks.answers(),
            [
                value(5, 8, 3..5),
                Answer::Missing,
                value(0, 7, 0..1),
                value(5, 8, 1..3)
            ]
        );
        assert_eq!(asks.data(), b"CAAAA");
    }

    #[test]
    fn a_key_nobody_asked_for_breaks() {
        for keys in [&[&b"a"[..]][..], &[b"a", b"bb"]] {
            let mut asks = Asks::default();
            asks.read(keys.iter().copied(), false);
            let outcome = answered(&mut asks, "VALUE b 0 1\r\nB\r\nEND\r\n");
            assert_eq!(
                outcome,
                Err(Broken::Unexpected("with a key that was not asked for"))
            );
        }
        let mut asks = Asks::default();
        asks.read([&b"a"[..]].into_iter(), false);
        let twice = "VALUE a 0 1\r\nB\r\nVALUE a 0 1\r\nB\r\nEND\r\n";
        assert!(answered(&mut asks, twice).is_err());
    }

    #[test]
    fn long_reads_are_several_lines() {
        let names: Vec<String> = (0..1200).map(|n| format!("k{n}")).collect();
        let mut asks = Asks::default();
        asks.read(names.iter().map(|name| name.as_bytes()), false);
        assert_eq!(wire(&asks).matches("get ").count(), 3);
        answered(
            &mut asks,
            "VALUE k3 0 1\r\nx\r\nEND\r\nSERVER_ERROR no\r\nEND\r\n",
        )
        .unwrap();
        assert_eq!(asks.answers()[2], Answer::Missing);
        assert!(matches!(asks.answers()[3], Answer::Value { .. }));
        assert!(matches!(
            asks.answers()[500],
            Answer::Error(ErrorKind::Server, _)
        ));
        assert_eq!(asks.answers()[1199], Answer::Missing);
    }

    #[test]
    fn every_write_and_every_answer() {
        let incr = |step, init| Action::Incr {
            step,
            ttl: Ttl::FOREVER,
            init,
        };
        let set = Action::Store {
            mode: StoreMode::Set,
            flags: 0,
            ttl: Ttl::FOREVER,
            value: b"v",
        };
        let failed = |text: &str| Answer::Error(ErrorKind::Server, text.into());
        let (meta, classic) = (Dialect::Meta, Dialect::Classic);
        for (dialect, action, reply, answer) in [
            (meta, incr(1, 1), "VA 2\r\n10\r\n", Answer::Number(10)),
            (
                meta,
                incr(1, 1),
                "SERVER_ERROR x\r\n",
                failed("SERVER_ERROR x"),
            ),
            (classic, incr(1, 1), "STORED\r\n1\r\n", Answer::Number(1)),
            (
                classic,
                incr(1, 1),
                "NOT_STORED\r\n9\r\n",
                Answer::Number(9),
            ),
            (
                classic,
                incr(1, 1),
                "NOT_STORED\r\nNOT_FOUND\r\n",
                Answer::Missing,
            ),
            (
                classic,
                incr(1, 1),
                "SERVER_ERROR x\r\n9\r\n",
                Answer::Number(9),
            ),
            (
                classic,
                incr(1, 1),
                "SERVER_ERROR x\r\nNOT_FOUND\r\n",
                failed("SERVER_ERROR x"),
            ),
            (
                classic,
                incr(5, 2),
                "7\r\nNOT_STORED\r\n",
                Answer::Number(7),
            ),
            (
                classic,
                incr(5, 2),
                "NOT_FOUND\r\nSTORED\r\n",
                Answer::Number(2),
            ),
            (
                classic,
                incr(5, 2),
                "NOT_FOUND\r\nNOT_STORED\r\n",
                Answer::Missing,
            ),
            (
                classic,
                incr(5, 2),
                "NOT_FOUND\r\nSERVER_ERROR x\r\n",
                failed("SERVER_ERROR x"),
            ),
            (
                classic,
                incr(5, 2),
                "SERVER_ERROR y\r\nSERVER_ERROR x\r\n",
                failed("SERVER_ERROR y"),
            ),
            (meta, Action::Decr { step: 1 }, "9\r\n", Answer::Number(9)),
            (
                meta,
                Action::Decr { step: 1 },
                "NOT_FOUND\r\n",
                Answer::Missing,
            ),
            (meta, set, "STORED\r\n", Answer::Done),
            (meta, set, "NOT_STORED\r\n", Answer::NotStored),
            (meta, set, "EXISTS\r\n", Answer::Exists),
            (meta, set, "NOT_FOUND\r\n", Answer::Missing),
            (meta, set, "SERVER_ERROR x\r\n", failed("SERVER_ERROR x")),
            (meta, Action::Delete, "DELETED\r\n", Answer::Done),
            (meta, Action::Delete, "NOT_FOUND\r\n", Answer::Missing),
            (
                meta,
                Action::Touch { ttl: Ttl::FOREVER },
                "TOUCHED\r\n",
                Answer::Done,
            ),
        ] {
            let mut asks = Asks::default();
            asks.write(&Command { key: b"k", action }, dialect, 0);
            answered(&mut asks, reply).unwrap();
            assert!(!asks.is_open(), "{action:?} {reply:?}");
            assert_eq!(asks.answers(), [answer], "{action:?} {reply:?}");
        }
    }

    #[test]
    fn answers_of_other_commands_break() {
        for (action, reply) in [
            (Action::Delete, "STORED\r\n"),
            (Action::Delete, "TOUCHED\r\n"),
            (Action::Decr { step: 1 }, "STORED\r\n"),
            (Action::Touch { ttl: Ttl::FOREVER }, "5\r\n"),
            (Action::Delete, "DELETED\r\nDELETED\r\n"),
        ] {
            let mut asks = Asks::default();
            asks.write(&Command { key: b"k", action }, Dialect::Meta, 0);
            assert!(answered(&mut asks, reply).is_err(), "{action:?} {reply:?}");
        }
    }
}
