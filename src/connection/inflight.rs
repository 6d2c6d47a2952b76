//! Background commands on their way: what replies are due, and what they mean.
//!
//! In meta, quiet commands make [`run`]s. In classic every command is answered: see [`classic`].

mod classic;
mod run;

use std::collections::VecDeque;

use super::Broken;
use super::books::Books;
use crate::protocol::reply::Reply;
use crate::protocol::request::Action;
use classic::{First, Kind};
pub use run::Doubt;
use run::{Behind, Run, Told};

/// The replies due for background commands, oldest first.
#[derive(Debug, Default)]
pub struct InFlight {
    due: VecDeque<Due>,
    /// Whether the newest due is a run to which commands can still be added.
    open: bool,
    /// The first error answer to a background command since it was asked for.
    complaint: Option<Box<str>>,
}

#[derive(Debug)]
enum Due {
    /// A quiet run and what closes it. One of no command is an `mn` alone.
    Run(Run),
    /// So many classic commands of one kind.
    Answered {
        kind: Kind,
        count: u64,
        first: Option<First>,
    },
    /// Replies of a waiting call come next.
    Asks,
    /// The answer to an `mn` that asks whether meta is spoken.
    Probe,
}

/// Who a reply is for.
#[derive(Debug, PartialEq, Eq)]
pub enum Whose {
    /// It was one of a background command, and is in the books now; or it tells whose one was.
    Background,
    /// It is the waiting call's.
    Asks,
    /// It tells that this error was the waiting call's.
    AsksError(Doubt),
    /// It is the probe's.
    Probe,
}

impl InFlight {
    /// Whether any reply is due.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// Whether a quiet run waits for its closing `mn`.
    pub fn has_open_run(&self) -> bool {
        self.open
    }

    /// `count` quiet commands were written.
    pub fn quiet(&mut self, count: u64) {
        if count == 0 {
            return;
        }
        if self.open
            && let Some(Due::Run(run)) = self.due.back_mut()
        {
            run.commands += count;
            return;
        }
        self.due.push_back(Due::Run(Run::of(count)));
        self.open = true;
    }

    /// `mn` was written after them.
    pub fn close_run(&mut self) {
        self.open = false;
    }

    /// A single read, whose questions come next, closes the run.
    pub fn close_run_by_read(&mut self) {
        if self.open
            && let Some(Due::Run(run)) = self.due.back_mut()
        {
            run.end_with_read();
            self.open = false;
        }
    }

    /// Whether a read that closes a run has to be answered first: commands behind it might be answered
    /// with errors too, and the `MN` of their run would tell nothing of the read.
    pub fn awaits_read(&self) -> bool {
        // With nothing behind it but the read's replies, and perhaps an `mn`.
        let ends_with_read = |due: &Due| matches!(due, Due::Run(run) if run.ends_with_read());
        self.due.iter().rev().take(3).any(ends_with_read)
    }

    /// Whether an `mn` has to be written because of an error that may be a run's or a read's.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self.due.front(), Some(Due::Run(run)) if run.has_doubt()) && !self.is_noop_due()
    }

    /// It was written.
    pub fn doubt_asked(&mut self) {
        self.due.push_back(Due::Run(Run::of(0)));
    }

    fn is_noop_due(&self) -> bool {
        matches!(self.due.back(), Some(Due::Run(Run { commands: 0, .. })))
    }

    /// The first error answer to a background command since this was asked last.
    pub fn take_complaint(&mut self) -> Option<Box<str>> {
        self.complaint.take()
    }

    /// A classic command was written, replies asked for.
    pub fn answered(&mut self, action: &Action<'_>) {
        let kind = Kind::of(action);
        match self.due.back_mut() {
            Some(Due::Answered {
                kind: last, count, ..
            }) if *last == kind => *count += 1,
            _ => self.due.push_back(Due::Answered {
                kind,
                count: 1,
                first: None,
            }),
        }
    }

    /// The questions of a waiting call were written.
    pub fn asks(&mut self) {
        self.due.push_back(Due::Asks);
    }

    /// An `mn` was written that asks whether meta is spoken.
    pub fn probe(&mut self) {
        debug_assert!(self.due.is_empty());
        self.due.push_back(Due::Probe);
    }

    /// The waiting call has all its answers.
    pub fn asks_answered(&mut self) {
        if let Some(Due::Asks) = self.due.front() {
            self.due.pop_front();
        }
    }

    /// Gives back memory that a burst has grown.
    pub fn shrink(&mut self) {
        if self.due.is_empty() && self.due.capacity() > 64 {
            self.due = VecDeque::new();
        }
    }

    /// The connection is gone.
    pub fn clear(&mut self) {
        self.due.clear();
        self.shrink();
        self.open = false;
    }

    /// Takes up to `count` replies `HD`: how many of them are the oldest run's. The rest is for
    /// [`settle`](Self::settle).
    pub fn settle_hds(&mut self, count: u64, books: &Books) -> u64 {
        match self.due.front_mut() {
            Some(Due::Run(run)) => run.settle_hds(count, books),
            _ => 0,
        }
    }

    /// Takes the next reply: books it if it is a background command's.
    ///
    /// What is due is noted when a command gets its wire form; a reply to one of which no byte has
    /// left (by `books`; `asks_left` tells it of the waiting call's questions) is none.
    ///
    /// # Errors
    /// [`Broken::Unexpected`] when no such reply can be due.
    #[inline]
    pub fn settle(
        &mut self,
        reply: Reply<'_>,
        asks_left: bool,
        books: &mut Books,
    ) -> Result<Whose, Broken> {
        let behind = Behind {
            // Unless the run is the one that still grows.
            is_closed: !(self.open && self.due.len() == 1),
            asks_left,
            is_noop_due: self.is_noop_due(),
        };
        match self.due.front_mut() {
            Some(Due::Run(run)) => {
                match run.settle(reply, behind, books, &mut self.complaint)? {
                    Told::Answered => {}
                    Told::Closed => {
                        self.due.pop_front();
                    }
                    Told::ClosedByRead => {
                        self.due.pop_front();
                        return Ok(Whose::Asks);
                    }
                    Told::ReadFailed(doubt) => {
                        self.due.pop_front();
                        // This `MN`, of which only the read is left now.
                        self.due.pop_back();
                        return Ok(Whose::AsksError(doubt));
                    }
                }
            }
            Some(Due::Answered { .. }) if books.in_flight() == 0 => {
                return Err(Broken::Unexpected("that nobody asked for"));
            }
            Some(Due::Answered { kind, count, first }) => {
                if let Reply::Error(_, line) = reply {
                    complain(&mut self.complaint, line);
                }
                if !classic::settle(*kind, first, reply, books)? {
                    return Ok(Whose::Background);
                }
                *count -= 1;
                if *count == 0 {
                    self.due.pop_front();
                }
            }
            Some(Due::Asks) if !asks_left => {
                return Err(Broken::Unexpected("that nobody asked for"));
            }
            Some(Due::Asks) => return Ok(Whose::Asks),
            Some(Due::Probe) => {
                self.due.pop_front();
                return Ok(Whose::Probe);
            }
            None => return Err(Broken::Unexpected("that nobody asked for")),
        }
        Ok(Whose::Background)
    }
}

fn complain(complaint: &mut Option<Box<str>>, line: &[u8]) {
    complaint.get_or_insert_with(|| String::from_utf8_lossy(line).into());
}

#[cfg(test)]
mod tests;
