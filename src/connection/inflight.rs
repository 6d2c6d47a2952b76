//! Background commands on their way: what replies are due, and what they mean.
//!
//! In meta, a run of quiet commands is closed by `mn`. Until its `MN`, errors answer single
//! commands of the run, and so may `HD`, `NF`, `NS` and `EX`: `q` does not hide all of them, and
//! servers before 1.6.40 answer `HD` to creations. In classic every command is answered.
//!
//! A read that follows closes a run as well: its first `VALUE` or its `END` comes after everything
//! before it. That is cheaper, since memcached sends what it has at every `mn`. Only an error leaves
//! open whether it is the run's or the read's; an `mn` behind the read tells then, as the read has no
//! `END` if the error was its own.

use std::collections::VecDeque;

use super::Broken;
use super::books::Books;
use crate::protocol::classic::IncrLines;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::protocol::request::Action;

/// The replies due for background commands, oldest first.
#[derive(Debug, Default)]
pub struct InFlight {
    due: VecDeque<Due>,
    /// Whether the newest due is a run to which commands can still be added.
    open: bool,
    /// Whether a run is due that a read closes.
    read_closes: bool,
    /// Whether an `mn` is to be written to tell whose an error was.
    in_doubt: bool,
    /// The first error answer to a background command since it was asked for.
    complaint: Option<Box<str>>,
}

#[derive(Debug)]
enum Due {
    /// A quiet run and what closes it.
    Run {
        commands: u64,
        answered: u64,
        failed: u64,
        end: End,
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

/// What ends a quiet run.
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
            && let Some(Due::Run { commands, .. }) = self.due.back_mut()
        {
            *commands += count;
            return;
        }
        self.due.push_back(Due::Run {
            commands: count,
            answered: 0,
            failed: 0,
            end: End::Noop,
        });
        self.open = true;
    }

    /// `mn` was written after them.
    pub fn close_run(&mut self) {
        self.open = false;
    }

    /// A single read, whose questions come next, closes the run.
    pub fn close_run_by_read(&mut self) {
        if self.open
            && let Some(Due::Run { end, .. }) = self.due.back_mut()
        {
            *end = End::Read(None);
            self.open = false;
            self.read_closes = true;
        }
    }

    /// Whether a read that closes a run has to be answered first: commands behind it might be answered
    /// with errors too, and the `MN` of their run would tell nothing of the read.
    pub fn awaits_read(&self) -> bool {
        self.read_closes
    }

    /// Whether an `mn` has to be written because of an error that may be a run's or a read's.
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }

    /// It was written.
    pub fn doubt_asked(&mut self) {
        self.in_doubt = false;
        self.due.push_back(Due::Run {
            commands: 0,
            answered: 0,
            failed: 0,
            end: End::Noop,
        });
    }

    /// The first error answer to a background command since this was asked last.
    pub fn take_complaint(&mut self) -> Option<Box<str>> {
        self.complaint.take()
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
        self.read_closes = false;
        self.in_doubt = false;
    }

    /// Takes up to `count` replies `HD`: how many of them are the oldest run's. The rest is for
    /// [`settle`](Self::settle).
    pub fn settle_hds(&mut self, count: u64, books: &Books) -> u64 {
        let Some(Due::Run {
            commands,
            answered,
            end: End::Noop | End::Read(None),
            ..
        }) = self.due.front_mut()
        else {
            return 0;
        };
        let open = books.in_flight().min(*commands).saturating_sub(*answered);
        let taken = count.min(open);
        *answered += taken;
        taken
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
        // `mn` was sent, unless the run is the one that still grows.
        let is_closed = !(self.open && self.due.len() == 1);
        let sent = books.in_flight();
        match self.due.front_mut() {
            Some(Due::Run {
                commands,
                answered,
                failed,
                end,
            }) => match (reply, end) {
                (Reply::Hd | Reply::Nf | Reply::Ns | Reply::Ex, End::Noop | End::Read(None))
                    if *answered < sent.min(*commands) =>
                {
                    *answered += 1;
                }
                (Reply::Error(_, line), End::Noop) if *answered < sent.min(*commands) => {
                    *answered += 1;
                    *failed += 1;
                    complain(&mut self.complaint, line);
                }
                (Reply::Mn, End::Noop) if is_closed && *commands <= sent => {
                    books.confirmed += *commands - *failed;
                    books.failed += *failed;
                    self.due.pop_front();
                }
                (_, End::Read(_)) => return self.settle_before_read(reply, asks_left, books),
                _ => return Err(Broken::Unexpected("to a background command")),
            },
            Some(Due::Answered { .. }) if sent == 0 => {
                return Err(Broken::Unexpected("that nobody asked for"));
            }
            Some(Due::Answered { kind, count, first }) => {
                if let Reply::Error(_, line) = reply {
                    complain(&mut self.complaint, line);
                }
                if !settle_classic(*kind, first, reply, books)? {
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

    /// As [`settle`](Self::settle), while the run that a read closes is the oldest due.
    #[inline(never)]
    fn settle_before_read(
        &mut self,
        reply: Reply<'_>,
        asks_left: bool,
        books: &mut Books,
    ) -> Result<Whose, Broken> {
        const UNEXPECTED: Result<Whose, Broken> =
            Err(Broken::Unexpected("to a background command"));
        let is_noop_due = matches!(self.due.back(), Some(Due::Run { commands: 0, .. }));
        let Some(Due::Run {
            commands,
            answered,
            failed,
            end: End::Read(doubt),
        }) = self.due.front_mut()
        else {
            return UNEXPECTED;
        };
        let may_be_answered = books.in_flight().min(*commands);
        // An error with something of the run's or the read's behind it was not the read's.
        if !matches!(reply, Reply::Mn)
            && let Some(Doubt { line, .. }) = doubt.take()
        {
            if *answered == may_be_answered {
                return UNEXPECTED;
            }
            *answered += 1;
            *failed += 1;
            complain(&mut self.complaint, &line);
            self.in_doubt = false;
        }
        match reply {
            Reply::Hd | Reply::Nf | Reply::Ns | Reply::Ex if *answered < may_be_answered => {
                *answered += 1;
                return Ok(Whose::Background);
            }
            Reply::Error(_, line) if !asks_left && *answered < may_be_answered => {
                *answered += 1;
                *failed += 1;
                complain(&mut self.complaint, line);
                return Ok(Whose::Background);
            }
            Reply::Error(..) | Reply::Value(_) | Reply::End if asks_left => {}
            Reply::Mn if doubt.is_some() && is_noop_due => {}
            _ => return UNEXPECTED,
        }
        if may_be_answered < *commands {
            return UNEXPECTED;
        }
        if let Reply::Error(kind, line) = reply
            && *answered < *commands
        {
            let line = line.into();
            *doubt = Some(Doubt { kind, line });
            self.in_doubt = !is_noop_due;
            return Ok(Whose::Background);
        }
        let reads_own = doubt.take();
        books.confirmed += *commands - *failed;
        books.failed += *failed;
        self.due.pop_front();
        self.read_closes = false;
        self.in_doubt = false;
        match reads_own {
            None => Ok(Whose::Asks),
            Some(doubt) => {
                // This `MN`, of which only the read is left now.
                self.due.pop_back();
                Ok(Whose::AsksError(doubt))
            }
        }
    }
}

fn complain(complaint: &mut Option<Box<str>>, line: &[u8]) {
    complaint.get_or_insert_with(|| String::from_utf8_lossy(line).into());
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
                .settle(reply, true, &mut books)
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
    fn a_run_is_answered_hd_no_oftener_than_it_has_commands_on_their_way() {
        for (commands, sent, count, taken) in
            [(5, 9, 3, 3), (5, 9, 7, 5), (5, 2, 7, 2), (5, 0, 1, 0)]
        {
            let mut inflight = InFlight::default();
            let books = Books {
                sent,
                ..Books::default()
            };
            assert_eq!(inflight.settle_hds(count, &books), 0, "nothing is due");
            inflight.quiet(commands);
            assert_eq!(inflight.settle_hds(count, &books), taken);
            assert_eq!(
                inflight.settle_hds(count, &books),
                count.min(sent.min(commands) - taken)
            );
        }
        let mut asks = InFlight::default();
        asks.asks();
        assert_eq!(asks.settle_hds(1, &Books::default()), 0);
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

    /// Whose each of the replies to a run of two commands and a read is, or `None` where it is refused.
    fn told(replies: &str) -> (Vec<String>, (u64, u64)) {
        let mut inflight = InFlight::default();
        inflight.quiet(2);
        inflight.close_run_by_read();
        inflight.asks();
        let mut books = Books {
            sent: 2,
            ..Books::default()
        };
        let mut told = Vec::new();
        let fed = Inbox::default().feed(replies.as_bytes(), |reply| {
            let whose = inflight.settle(reply, true, &mut books)?;
            if inflight.is_in_doubt() {
                inflight.doubt_asked();
            }
            let is_last = matches!(reply, Reply::End | Reply::Error(..) | Reply::Mn);
            match whose {
                Whose::Background => told.push("run".to_owned()),
                Whose::AsksError(doubt) => {
                    told.push(String::from_utf8_lossy(&doubt.line).into_owned());
                    inflight.asks_answered();
                }
                _ => {
                    told.push("read".to_owned());
                    if is_last {
                        inflight.asks_answered();
                    }
                }
            }
            Ok::<_, Broken>(())
        });
        if fed.is_err() {
            told.push("refused".to_owned());
        }
        if !inflight.is_empty() {
            told.push("more is due".to_owned());
        }
        (told, (books.confirmed, books.failed))
    }

    #[test]
    fn a_read_closes_a_run_and_noop_tells_whose_an_error_was() {
        let value = "VALUE k 0 1\r\n1\r\n";
        for (replies, outcome, confirmed, failed) in [
            ("END\r\n", "read", 2, 0),
            ("HD\r\nHD\r\nEND\r\n", "run, run, read", 2, 0),
            (&*format!("NF\r\n{value}END\r\n"), "run, read, read", 2, 0),
            // The run's: the read has its own end, and then `mn` is answered.
            ("SERVER_ERROR a\r\nEND\r\nMN\r\n", "run, read, run", 1, 1),
            (
                &*format!("SERVER_ERROR a\r\nERROR b\r\n{value}END\r\nMN\r\n"),
                "run, run, read, read, run",
                0,
                2,
            ),
            (
                "SERVER_ERROR a\r\nHD\r\nEND\r\nMN\r\n",
                "run, run, read, run",
                1,
                1,
            ),
            // The read's.
            ("SERVER_ERROR a\r\nMN\r\n", "run, SERVER_ERROR a", 2, 0),
            (
                "SERVER_ERROR a\r\nSERVER_ERROR b\r\nMN\r\n",
                "run, run, SERVER_ERROR b",
                1,
                1,
            ),
            ("HD\r\nHD\r\nSERVER_ERROR a\r\n", "run, run, read", 2, 0),
            (
                "SERVER_ERROR a\r\nSERVER_ERROR b\r\nSERVER_ERROR c\r\nMN\r\n",
                "run, run, read, run",
                0,
                2,
            ),
            (&*format!("{value}SERVER_ERROR a\r\n"), "read, read", 2, 0),
            // Nothing that belongs here.
            ("MN\r\n", "refused, more is due", 0, 0),
            ("HD\r\nHD\r\nHD\r\n", "run, run, refused, more is due", 0, 0),
            ("STORED\r\n", "refused, more is due", 0, 0),
            (
                "SERVER_ERROR a\r\nHD\r\nHD\r\nEND\r\n",
                "run, run, refused, more is due",
                0,
                0,
            ),
            (
                "SERVER_ERROR a\r\nHD\r\nMN\r\n",
                "run, run, refused, more is due",
                0,
                0,
            ),
        ] {
            let (told, books) = told(replies);
            assert_eq!(
                (&*told.join(", "), books),
                (outcome, (confirmed, failed)),
                "{replies:?}"
            );
        }
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
