//! A run of quiet commands: what may answer it, and what closes it.
//!
//! `mn` does: until its `MN`, errors answer single commands of the run, and so may `HD`, `NF`, `NS` and `EX`: `q` does not
//! hide all of them, and servers before 1.6.40 answer `HD` to creations.
//!
//! A read that follows closes a run as well: its first `VALUE` or its `END` comes after everything
//! before it. That is cheaper, since memcached sends what it has at every `mn`. Only an error leaves
//! open whether it is the run's or the read's; an `mn` behind the read tells then, as the read has no
//! `END` if the error was its own.

use super::super::Broken;
use super::super::books::Books;
use crate::protocol::reply::{ErrorKind, Reply};

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Run {
    pub commands: u64,
    answered: u64,
    failed: u64,
    end: End,
}

/// What ends a run.
#[derive(Debug)]
enum End {
    /// `MN`; or the run is open.
    Noop,
    /// The read behind it, of which the error may be that came last.
    Read(Option<Doubt>),
}

/// An error line.
#[derive(Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its kind.
    pub kind: ErrorKind,
    /// The whole of it.
    pub line: Box<[u8]>,
}

/// What is sent besides the run.
#[derive(Clone, Copy)]
pub(super) struct Behind {
    /// The `mn` that closes it, if that is what does.
    pub is_closed: bool,
    /// Bytes of the waiting call's questions.
    pub asks_left: bool,
    /// An `mn` behind those.
    pub is_noop_due: bool,
}

/// What a reply tells of the oldest run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Something of one of its commands, or whose an error is remains open.
    Answered,
    /// That it is over.
    Closed,
    /// That it is over; the reply is the read's.
    ClosedByRead,
    /// That it is over, and that this error was the read's.
    ReadFailed(Doubt),
}

const UNEXPECTED: Result<Told, Broken> = Err(Broken::Unexpected("to a background command"));

impl Run {
    pub fn of(commands: u64) -> Self {
        Run {
            commands,
            answered: 0,
            failed: 0,
            end: End::Noop,
        }
    }

    /// A read that follows closes it.
    pub fn end_with_read(&mut self) {
        self.end = End::Read(None);
    }

    pub fn ends_with_read(&self) -> bool {
        matches!(self.end, End::Read(_))
    }

    /// Whether there is an error of which it is not known whose it is.
    pub fn has_doubt(&self) -> bool {
        matches!(self.end, End::Read(Some(_)))
    }

    /// Takes up to `count` replies `HD`: how many of them are its own.
    pub fn settle_hds(&mut self, count: u64, books: &Books) -> u64 {
        if self.has_doubt() {
            return 0;
        }
        let taken = count.min(self.open(books));
        self.answered += taken;
        taken
    }

    /// How many of the commands on their way have no answer yet.
    fn open(&self, books: &Books) -> u64 {
        let sent = books.in_flight().min(self.commands);
        sent.saturating_sub(self.answered)
    }

    fn is_sent(&self, books: &Books) -> bool {
        self.commands <= books.in_flight()
    }

    fn failed(&mut self, line: &[u8], complaint: &mut Option<Box<str>>) -> Result<Told, Broken> {
        self.answered += 1;
        self.failed += 1;
        super::complain(complaint, line);
        Ok(Told::Answered)
    }

    fn close(&self, books: &mut Books) {
        books.confirmed += self.commands - self.failed;
        books.failed += self.failed;
    }

    /// Takes a reply while this run is the oldest due.
    ///
    /// # Errors
    /// [`Broken::Unexpected`] when no such reply can be due.
    #[inline]
    pub fn settle(
        &mut self,
        reply: Reply<'_>,
        behind: Behind,
        books: &mut Books,
        complaint: &mut Option<Box<str>>,
    ) -> Result<Told, Broken> {
        if self.ends_with_read() {
            return self.settle_before_read(reply, behind, books, complaint);
        }
        match reply {
            Reply::Hd | Reply::Nf | Reply::Ns | Reply::Ex if self.open(books) > 0 => {
                self.answered += 1;
                Ok(Told::Answered)
            }
            Reply::Error(_, line) if self.open(books) > 0 => self.failed(line, complaint),
            Reply::Mn if behind.is_closed && self.is_sent(books) => {
                self.close(books);
                Ok(Told::Closed)
            }
            _ => UNEXPECTED,
        }
    }

    #[inline(never)]
    fn settle_before_read(
        &mut self,
        reply: Reply<'_>,
        behind: Behind,
        books: &mut Books,
        complaint: &mut Option<Box<str>>,
    ) -> Result<Told, Broken> {
        // An error with something of the run's or the read's behind it was not the read's.
        if !matches!(reply, Reply::Mn)
            && let Some(doubt) = self.take_doubt()
        {
            if self.open(books) == 0 {
                return UNEXPECTED;
            }
            self.failed(&doubt.line, complaint)?;
        }
        match reply {
            Reply::Hd | Reply::Nf | Reply::Ns | Reply::Ex if self.open(books) > 0 => {
                self.answered += 1;
                return Ok(Told::Answered);
            }
            Reply::Error(_, line) if !behind.asks_left && self.open(books) > 0 => {
                return self.failed(line, complaint);
            }
            Reply::Error(..) | Reply::Value(_) | Reply::End if behind.asks_left => {}
            Reply::Mn if self.has_doubt() && behind.is_noop_due => {}
            _ => return UNEXPECTED,
        }
        if !self.is_sent(books) {
            return UNEXPECTED;
        }
        if let Reply::Error(kind, line) = reply
            && self.open(books) > 0
        {
            let line = line.into();
            self.end = End::Read(Some(Doubt { kind, line }));
            return Ok(Told::Answered);
        }
        self.close(books);
        Ok(match self.take_doubt() {
            None => Told::ClosedByRead,
            Some(doubt) => Told::ReadFailed(doubt),
        })
    }

    fn take_doubt(&mut self) -> Option<Doubt> {
        match &mut self.end {
            End::Noop => None,
            End::Read(doubt) => doubt.take(),
        }
    }
}
