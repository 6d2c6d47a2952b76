//! Background commands on their way: what replies are due, and what they mean.
//!
//! In meta, a run of quiet commands is closed by `mn`. Until its `MN`, errors answer single
//! commands of the run, and so may `HD`, `NF`, `NS` and `EX`: `q` does not hide all of them, and
//! servers before 1.6.40 answer `HD` to creations. In classic every command is answered.

use std::collections::VecDeque;

use super::Broken;
use super::books::Books;
use crate::protocol::classic::IncrLines;
use crate::protocol::reply::Reply;
use crate::protocol::request::Action;

/// The replies due for background commands, oldest first.
#[derive(Debug, Default)]
pub struct InFlight {
    due: VecDeque<Due>,
    /// Whether the newest due is a run to which commands can still be added.
    open: bool,
}

#[derive(Debug)]
enum Due {
    /// A quiet run and the `MN` that closes it.
    Run {
        commands: u64,
        answered: u64,
        failed: u64,
    },
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

/// What a classic command may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AddIncr,
    IncrAdd,
    Decr,
    Store,
    Delete,
    Touch,
}

/// The first of two replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Good,
    /// `NOT_STORED` before `incr`, or `NOT_FOUND` before `add`.
    Open,
    Failed,
}

/// Who a reply is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// It was one of a background command, and is in the books now.
    Background,
    /// It is the waiting call's.
    Asks,
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
            && let Some(Due::Run { commands, .. }) = self.due.back_mut()
        {
            *commands += count;
            return;
        }
        self.due.push_back(Due::Run {
            commands: count,
            answered: 0,
            failed: 0,
        });
        self.open = true;
    }

    /// `mn` was written after them.
    pub fn close_run(&mut self) {
        self.open = false;
    }

    /// A classic command was written, replies asked for.
    pub fn answered(&mut self, action: &Action<'_>) {
        let kind = match *action {
            Action::Incr { step, init, .. } => match IncrLines::of(step, init) {
                IncrLines::AddIncr => Kind::AddIncr,
                IncrLines::IncrAdd => Kind::IncrAdd,
            },
            Action::Decr { .. } => Kind::Decr,
            Action::Store { .. } => Kind::Store,
            Action::Delete => Kind::Delete,
            Action::Touch { .. } => Kind::Touch,
        };
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

    /// Takes the next reply: books it if it is a background command's.
    ///
    /// What is due is noted when a command gets its wire form; a reply to one of which no byte has
    /// left (by `books`) is none.
    ///
    /// # Errors
    /// [`Broken::Unexpected`] when no such reply can be due.
    #[inline]
    pub fn settle(&mut self, reply: Reply<'_>, books: &mut Books) -> Result<Whose, Broken> {
        // `mn` was sent, unless the run is the one that still grows.
        let is_closed = !(self.open && self.due.len() == 1);
        let sent = books.in_flight();
        match self.due.front_mut() {
            Some(Due::Run {
                commands,
                answered,
                failed,
            }) => match reply {
                Reply::Hd | Reply::Nf | Reply::Ns | Reply::Ex
                    if *answered < sent.min(*commands) =>
                {
                    *answered += 1;
                }
                Reply::Error(..) if *answered < sent.min(*commands) => {
                    *answered += 1;
                    *failed += 1;
                }
                Reply::Mn if is_closed && *commands <= sent => {
                    books.confirmed += *commands - *failed;
                    books.failed += *failed;
                    self.due.pop_front();
                }
                _ => return Err(Broken::Unexpected("to a background command")),
            },
            Some(Due::Answered { .. }) if sent == 0 => {
                return Err(Broken::Unexpected("that nobody asked for"));
            }
            Some(Due::Answered { kind, count, first }) => {
                if !settle_classic(*kind, first, reply, books)? {
                    return Ok(Whose::Background);
                }
                *count -= 1;
                if *count == 0 {
                    self.due.pop_front();
                }
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

/// Whether the command is answered in full now.
fn settle_classic(
    kind: Kind,
    first: &mut Option<First>,
    reply: Reply<'_>,
    books: &mut Books,
) -> Result<bool, Broken> {
    let outcome = match (kind, *first, reply) {
        (Kind::AddIncr, None, Reply::Stored) => return later(first, First::Good),
        (Kind::AddIncr, None, Reply::NotStored) => return later(first, First::Open),
        (Kind::AddIncr, None, Reply::Error(..)) => return later(first, First::Failed),
        (Kind::IncrAdd, None, Reply::Number(_)) => return later(first, First::Good),
        (Kind::IncrAdd, None, Reply::NotFound) => return later(first, First::Open),
        (Kind::IncrAdd, None, Reply::Error(..)) => return later(first, First::Failed),

        (Kind::AddIncr, Some(_), Reply::Number(_)) => &mut books.confirmed,
        // There, and not there: either it went in between, or a proxy answers without asking
        // any server (mcrouter's AllAsyncRoute).
        (Kind::AddIncr, Some(First::Open), Reply::NotFound) => &mut books.unverified,
        (Kind::AddIncr, Some(_), Reply::NotFound | Reply::Error(..)) => &mut books.failed,

        (Kind::IncrAdd, Some(First::Good), Reply::Stored | Reply::NotStored | Reply::Error(..)) => {
            &mut books.confirmed
        }
        (Kind::IncrAdd, Some(First::Open), Reply::Stored) => &mut books.confirmed,
        (Kind::IncrAdd, Some(First::Open), Reply::NotStored) => &mut books.unverified,
        // `add` stored the start value, which was to hold this step.
        (Kind::IncrAdd, Some(First::Failed), Reply::Stored) => &mut books.confirmed,
        (Kind::IncrAdd, Some(_), Reply::NotStored | Reply::Error(..)) => &mut books.failed,

        (Kind::Decr, _, Reply::Number(_) | Reply::NotFound)
        | (Kind::Store, _, Reply::Stored | Reply::NotStored)
        | (Kind::Delete, _, Reply::Deleted | Reply::NotFound)
        | (Kind::Touch, _, Reply::Touched | Reply::NotFound) => &mut books.confirmed,
        (Kind::Decr | Kind::Store | Kind::Delete | Kind::Touch, _, Reply::Error(..)) => {
            &mut books.failed
        }
        _ => return Err(Broken::Unexpected("to a background command")),
    };
    *outcome += 1;
    *first = None;
    Ok(true)
}

fn later(slot: &mut Option<First>, first: First) -> Result<bool, Broken> {
    *slot = Some(first);
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::inbox::Inbox;
    use crate::protocol::request::StoreMode;
    use crate::protocol::ttl::Ttl;

    /// `(confirmed, failed, unverified)` after `bytes`.
    fn booked(inflight: &mut InFlight, bytes: &str) -> Result<(u64, u64, u64), Broken> {
        let mut books = Books {
            sent: 1 << 20,
            ..Books::default()
        };
        Inbox::default().feed(bytes.as_bytes(), |reply| {
            inflight
                .settle(reply, &mut books)
                .map(|whose| assert_eq!(whose, Whose::Background))
        })?;
        Ok((books.confirmed, books.failed, books.unverified))
    }

    #[test]
    fn a_quiet_run_is_booked_when_it_is_closed() {
        for (replies, outcome) in [
            ("MN\r\n", Ok((5, 0, 0))),
            ("HD\r\nNF\r\nEX\r\nNS\r\nHD\r\nMN\r\n", Ok((5, 0, 0))),
            (
                "CLIENT_ERROR a\r\nHD\r\nSERVER_ERROR b\r\nMN\r\n",
                Ok((3, 2, 0)),
            ),
            ("HD\r\n", Ok((0, 0, 0))),
        ] {
            let mut inflight = InFlight::default();
            inflight.quiet(2);
            inflight.quiet(3);
            inflight.close_run();
            assert_eq!(booked(&mut inflight, replies), outcome, "{replies:?}");
        }
    }

    #[test]
    fn what_a_quiet_run_can_not_be_answered() {
        for replies in [
            "HD\r\nHD\r\n",
            "ERROR\r\nHD\r\n",
            "STORED\r\n",
            "END\r\n",
            "5\r\n",
            "EN\r\n",
        ] {
            let mut inflight = InFlight::default();
            inflight.quiet(1);
            inflight.close_run();
            assert!(booked(&mut inflight, replies).is_err(), "{replies:?}");
        }
        let mut open = InFlight::default();
        open.quiet(1);
        assert!(booked(&mut open, "MN\r\n").is_err(), "nobody sent mn");
        assert!(booked(&mut InFlight::default(), "HD\r\n").is_err());
    }

    #[test]
    fn runs_are_closed_one_by_one() {
        let mut inflight = InFlight::default();
        inflight.quiet(1);
        inflight.close_run();
        inflight.quiet(2);
        assert_eq!(booked(&mut inflight, "MN\r\nHD\r\n"), Ok((1, 0, 0)));
        inflight.close_run();
        assert_eq!(booked(&mut inflight, "MN\r\n"), Ok((2, 0, 0)));
        assert!(inflight.is_empty());
    }

    #[test]
    fn every_classic_command_and_every_reply() {
        let ttl = Ttl::FOREVER;
        let add_incr = Action::Incr {
            step: 1,
            ttl,
            init: 1,
        };
        let incr_add = Action::Incr {
            step: 5,
            ttl,
            init: 2,
        };
        let store = Action::Store {
            mode: StoreMode::Add,
            flags: 0,
            ttl,
            value: b"",
        };
        const E: &str = "SERVER_ERROR x\r\n";
        let (confirmed, failed, unverified) = ((1, 0, 0), (0, 1, 0), (0, 0, 1));
        for (action, replies, outcome) in [
            (add_incr, "STORED\r\n1\r\n", confirmed),
            (add_incr, "NOT_STORED\r\n2\r\n", confirmed),
            (add_incr, "SERVER_ERROR x\r\n2\r\n", confirmed),
            (add_incr, "NOT_STORED\r\nNOT_FOUND\r\n", unverified),
            (add_incr, "STORED\r\nNOT_FOUND\r\n", failed),
            (add_incr, "STORED\r\nSERVER_ERROR x\r\n", failed),
            (add_incr, "SERVER_ERROR x\r\nNOT_FOUND\r\n", failed),
            (add_incr, "NOT_STORED\r\nCLIENT_ERROR no number\r\n", failed),
            (incr_add, "6\r\nNOT_STORED\r\n", confirmed),
            (incr_add, "6\r\nSERVER_ERROR x\r\n", confirmed),
            (incr_add, "NOT_FOUND\r\nSTORED\r\n", confirmed),
            (incr_add, "NOT_FOUND\r\nNOT_STORED\r\n", unverified),
            (incr_add, "NOT_FOUND\r\nSERVER_ERROR x\r\n", failed),
            (incr_add, "CLIENT_ERROR x\r\nNOT_STORED\r\n", failed),
            (Action::Decr { step: 1 }, "0\r\n", confirmed),
            (Action::Decr { step: 1 }, "NOT_FOUND\r\n", confirmed),
            (Action::Decr { step: 1 }, E, failed),
            (store, "STORED\r\n", confirmed),
            (store, "NOT_STORED\r\n", confirmed),
            (store, E, failed),
            (Action::Delete, "DELETED\r\n", confirmed),
            (Action::Delete, "NOT_FOUND\r\n", confirmed),
            (Action::Touch { ttl }, "TOUCHED\r\n", confirmed),
            (Action::Touch { ttl }, "NOT_FOUND\r\n", confirmed),
        ] {
            let mut inflight = InFlight::default();
            inflight.answered(&action);
            assert_eq!(
                booked(&mut inflight, replies),
                Ok(outcome),
                "{action:?} {replies:?}"
            );
            assert!(inflight.is_empty());
        }
        for (action, replies) in [
            (add_incr, "1\r\n"),
            (add_incr, "STORED\r\nSTORED\r\n"),
            (incr_add, "STORED\r\n"),
            (store, "DELETED\r\n"),
            (store, "EXISTS\r\n"),
            (Action::Delete, "STORED\r\n"),
            (Action::Delete, "DELETED\r\nDELETED\r\n"),
        ] {
            let mut inflight = InFlight::default();
            inflight.answered(&action);
            assert!(
                booked(&mut inflight, replies).is_err(),
                "{action:?} {replies:?}"
            );
        }
    }

    #[test]
    fn a_row_of_one_kind_takes_no_room() {
        let mut inflight = InFlight::default();
        for _ in 0..1000 {
            inflight.answered(&Action::Incr {
                step: 1,
                ttl: Ttl::FOREVER,
                init: 1,
            });
        }
        assert_eq!(inflight.due.len(), 1);
        assert_eq!(
            booked(&mut inflight, &"STORED\r\n1\r\n".repeat(1000)),
            Ok((1000, 0, 0))
        );
    }
}
