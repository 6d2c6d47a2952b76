//! One connection's state machine, without I/O: bytes and time in, bytes and answers out.
//!
//! Whoever drives it calls, in this order:
//!
//! 1. [`Connection::incr`] and the other background writes, at any time, connected or not;
//! 2. [`Connection::opened`] once a transport is connected;
//! 3. for a call that waits: [`Connection::begin_wait`], then [`Connection::ask_reads`] or
//!    [`Connection::ask_write`] as soon as [`Connection::can_ask`] says so;
//! 4. [`Connection::transmit`] for the bytes to send, [`Connection::transmitted`] for how many
//!    the kernel took, [`Connection::receive`] for what came, as often as needed;
//! 5. [`Connection::end_wait`] when no question is open any more;
//! 6. [`Connection::closed`] when the transport ended or [`Connection::receive`] gave an error.
//!
//! Nothing is ever sent twice: what may have reached the server when a connection ends is
//! booked as lost, what certainly did not stays queued.

pub mod asks;
pub mod backoff;
pub mod books;
mod broken;
mod dialect;
mod encoder;
pub mod greeting;
pub mod inbox;
pub mod inflight;
pub mod outbox;
mod record;
mod wire;

pub use broken::Broken;
pub use dialect::{Dialect, Opening, Protocol};

use asks::{Answer, Asks};
use books::Books;
use encoder::Encoder;
use greeting::Greeting;
use inbox::{Inbox, Sink};
use inflight::{Doubt, InFlight, Whose};
use outbox::{Outbox, Queued, Staged};
use wire::Wire;

use crate::protocol::key::{KeyError, Parts};
use crate::protocol::meta;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::protocol::request::{Action, Command};
use crate::protocol::ttl::Ttl;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    /// `presumed`: what may be spoken before the answer.
    Greeting {
        greeting: Greeting,
        presumed: Option<Dialect>,
    },
    Open(Dialect),
}

/// Whether a connection that speaks classic should be asked for meta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probe {
    No,
    /// At a moment when nothing is due.
    Wanted,
    /// The answer is due.
    Asked,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Connection {
    protocol: Protocol,
    noreply: bool,
    phase: Phase,
    probe: Probe,
    /// Whether [`Opening::Classic`] was the order.
    classic_only: bool,
    /// What was spoken on the last connection.
    last_spoken: Option<Dialect>,
    outbox: Outbox,
    wire: Wire,
    spelling: meta::Spelling,
    inflight: InFlight,
    inbox: Inbox,
    asks: Asks,
    asks_written: bool,
    /// Close the quiet run once everything queued has been written.
    close_run: bool,
    /// A call waits, or was interrupted while it did.
    waiting: bool,
    version: Vec<u8>,
    books: Books,
}

impl Connection {
    /// A closed connection that queues at most `buffer_bytes`.
    pub fn new(protocol: Protocol, noreply: bool, buffer_bytes: usize) -> Self {
        Connection {
            protocol,
            noreply,
            phase: Phase::Closed,
            probe: Probe::No,
            classic_only: false,
            last_spoken: None,
            outbox: Outbox::new(buffer_bytes),
            wire: Wire::default(),
            spelling: meta::Spelling::default(),
            inflight: InFlight::default(),
            inbox: Inbox::default(),
            asks: Asks::default(),
            asks_written: false,
            close_run: false,
            waiting: false,
            version: Vec::new(),
            books: Books::default(),
        }
    }

    // ---- background writes ----

    /// Queues an increment, or adds it to a queued one.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
        init: u64,
    ) -> Result<Queued, KeyError> {
        let queued = self.outbox.incr(key, step, ttl, init)?;
        Ok(self.booked(queued))
    }

    /// The same at the step, cheaper where the newest command is likely on another key.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    #[inline(always)]
    pub fn incr_another(
        &mut self,
        key: Parts<'_>,
        step: u64,
        ttl: Ttl,
    ) -> Result<Queued, KeyError> {
        let queued = self.outbox.incr_another(key, step, ttl)?;
        Ok(self.booked(queued))
    }

    /// Queues an increment that waited to be routed.
    pub fn unstage(&mut self, staged: &Staged<'_>) -> Queued {
        let queued = self.outbox.unstage(staged);
        self.booked(queued)
    }

    /// Queues any command.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    pub fn queue(&mut self, key: Parts<'_>, action: &Action<'_>) -> Result<Queued, KeyError> {
        let queued = self.outbox.queue(key, action)?;
        Ok(self.booked(queued))
    }

    /// Queues a command that was refused just now, if there is room: its refusal is struck out.
    ///
    /// # Errors
    /// [`KeyError`]; nothing is queued.
    pub fn queue_refused(
        &mut self,
        key: Parts<'_>,
        action: &Action<'_>,
    ) -> Result<Queued, KeyError> {
        self.books.refused -= 1;
        self.queue(key, action)
    }

    /// A value write or touch that is not queued because the server is down: by the time it came
    /// back it would overwrite newer data.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn refuse(&mut self, key: Parts<'_>) -> Result<Queued, KeyError> {
        key.check()?;
        Ok(self.booked(Queued::Full))
    }

    #[inline(always)]
    fn booked(&mut self, queued: Queued) -> Queued {
        match queued {
            Queued::New => self.books.queued += 1,
            Queued::Merged => self.books.merged += 1,
            Queued::Full => self.books.refused += 1,
        }
        queued
    }

    /// Bytes of queued commands without a wire form.
    #[inline(always)]
    pub fn unencoded_bytes(&self) -> usize {
        self.outbox.unencoded_bytes()
    }

    /// Whether the queue takes so many bytes more.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.outbox.has_room(bytes)
    }

    /// Whether nothing is queued or half sent.
    pub fn is_drained(&self) -> bool {
        self.outbox.pending() == 0 && self.wire.is_empty()
    }

    /// Whether there is nothing to send, not even the end of a quiet run.
    pub fn has_nothing_to_send(&self) -> bool {
        self.is_drained() && !self.close_run && !self.inflight.is_in_doubt()
    }

    /// Whether nothing is queued, on the wire, or due.
    pub fn is_settled(&self) -> bool {
        self.is_drained() && self.inflight.is_empty()
    }

    /// Whether any reply or greeting is due.
    pub fn expects_bytes(&self) -> bool {
        !self.inflight.is_empty() || matches!(self.phase, Phase::Greeting { .. })
    }

    /// The totals, with the queue's own count of what is pending.
    pub fn books(&self) -> Books {
        Books {
            pending: self.outbox.pending(),
            pending_bytes: self.outbox.pending_bytes() as u64,
            ..self.books
        }
    }

    /// The first error answer to a background command since this was asked last.
    pub fn take_complaint(&mut self) -> Option<Box<str>> {
        self.inflight.take_complaint()
    }

    /// For whoever counts system calls.
    pub fn books_mut(&mut self) -> &mut Books {
        &mut self.books
    }

    // ---- opening and closing ----

    /// A transport is connected (or connecting: bytes may be handed to it).
    pub fn opened(&mut self, opening: Opening) {
        debug_assert!(self.wire.is_empty() && self.inflight.is_empty());
        let at_once = opening != Opening::Ask;
        self.classic_only = opening == Opening::Classic;
        let presumed = match (self.protocol, self.last_spoken) {
            (Protocol::Classic, _) => Some(Dialect::Classic),
            _ if self.classic_only => Some(Dialect::Classic),
            (_, Some(Dialect::Meta)) if at_once => Some(Dialect::Meta),
            (Protocol::Auto, _) if at_once => Some(Dialect::Classic),
            _ => None,
        };
        let greeting = Greeting::begin(presumed != Some(Dialect::Classic), &mut self.wire.bytes);
        self.phase = Phase::Greeting { greeting, presumed };
        self.probe = Probe::No;
    }

    /// What can be written in now.
    fn spoken(&self) -> Option<Dialect> {
        match self.phase {
            Phase::Open(dialect) => Some(dialect),
            Phase::Greeting { presumed, .. } => presumed,
            Phase::Closed => None,
        }
    }

    /// Whether classic is spoken for the time being only: meta is to be asked for at a moment when
    /// nothing is due, or the answer is awaited.
    pub fn is_dialect_open(&self) -> bool {
        let presumed = Some(Dialect::Classic);
        self.probe != Probe::No
            || matches!(self.phase, Phase::Greeting { presumed: p, .. } if p == presumed)
                && self.protocol == Protocol::Auto
                && !self.classic_only
    }

    /// Asks for meta, if that is wanted and nothing is due: a proxy that closes on the question
    /// takes nothing with it then. Whether it was asked.
    pub fn begin_probe(&mut self) -> bool {
        let begins =
            self.probe == Probe::Wanted && self.inflight.is_empty() && self.wire.is_empty();
        if begins {
            self.wire.bytes.extend_from_slice(meta::NOOP);
            self.inflight.probe();
            self.probe = Probe::Asked;
        }
        begins
    }

    /// The dialect, once known.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.phase {
            Phase::Open(dialect) => Some(dialect),
            _ => None,
        }
    }

    /// Whether only meta will do.
    pub fn demands_meta(&self) -> bool {
        self.protocol == Protocol::Meta
    }

    /// Whether `mn` was asked and nothing has been heard since: if the connection ends now, that
    /// may be why.
    pub fn is_noop_unheard(&self) -> bool {
        let greeting = Greeting::AwaitNoop;
        self.probe == Probe::Asked
            || matches!(self.phase, Phase::Greeting { greeting: g, .. } if g == greeting)
    }

    /// What the server calls its version; empty before it told.
    pub fn version(&self) -> &[u8] {
        &self.version
    }

    /// The transport is gone: what may have reached the server is lost, the rest stays queued.
    pub fn closed(&mut self) {
        self.books.lost += self.books.in_flight();
        self.outbox.rewind();
        self.wire = Wire::default();
        self.inflight.clear();
        self.inbox.clear();
        // It may be that somebody waits for its confirmation.
        self.close_run = self.outbox.pending() > 0;
        self.asks.clear();
        self.asks_written = false;
        self.waiting = false;
        self.last_spoken = self.dialect().or(self.last_spoken);
        self.phase = Phase::Closed;
        self.probe = Probe::No;
    }

    /// The server is marked down: gives up queued value writes and touches, and what is queued
    /// behind them on the same keys. Only after [`closed`](Self::closed).
    pub fn drop_overwriting(&mut self) {
        let dropped = self.outbox.drop_overwriting();
        self.books.dropped += dropped.commands;
        self.books.merged += dropped.merged;
        self.books.queued -= dropped.merged;
        self.close_run &= self.outbox.pending() > 0;
    }

    /// Gives up everything queued; only after [`closed`](Self::closed).
    pub fn drop_all(&mut self) {
        self.books.dropped += self.outbox.clear();
        self.close_run = false;
    }

    // ---- calls that wait ----

    /// A call will wait for replies on this connection. Set before its first byte is written, so
    /// that a call that never came back is noticed: see [`was_interrupted`](Self::was_interrupted).
    pub fn begin_wait(&mut self) {
        self.waiting = true;
        self.asks.clear();
        self.asks_written = false;
    }

    /// All questions are answered (or none was asked).
    pub fn end_wait(&mut self) {
        debug_assert!(!self.asks.is_open());
        self.waiting = false;
    }

    /// Whether a waiting call ended without [`end_wait`](Self::end_wait).
    pub fn was_interrupted(&self) -> bool {
        self.waiting
    }

    /// Whether a question can be asked now. Reads are the same in both dialects, and harmless to
    /// ask again: if nothing queued has to go before them, they need not await a greeting or probe.
    pub fn can_ask(&self, reads_only: bool) -> bool {
        let unspoken = match self.phase {
            Phase::Open(_) => self.probe == Probe::Asked,
            Phase::Greeting { presumed, .. } => presumed.is_none(),
            Phase::Closed => return false,
        };
        !unspoken || reads_only && self.outbox.pending() == 0
    }

    /// Asks for values: one question per (checked) wire key.
    pub fn ask_reads<'k>(&mut self, keys: impl Iterator<Item = &'k [u8]>, with_cas: bool) {
        self.asks.read(keys, with_cas);
    }

    /// Asks for one write with its answer.
    pub fn ask_write(&mut self, command: &Command<'_>, unix_now: u32) {
        let dialect = self.spoken().unwrap_or(Dialect::Classic);
        self.asks.write(command, dialect, unix_now);
    }

    /// Whether some question has no answer yet.
    pub fn has_open_asks(&self) -> bool {
        self.asks.is_open()
    }

    /// The answers, in the order of the questions.
    pub fn answers(&self) -> &[Answer] {
        self.asks.answers()
    }

    /// The bytes that [`Answer::Value`] points into.
    pub fn answer_data(&self) -> &[u8] {
        self.asks.data()
    }

    /// The same, handed over; the questions and their answers are forgotten.
    pub fn take_answers(&mut self) -> (Vec<Answer>, Vec<u8>) {
        let taken = self.asks.take_answers();
        self.asks.clear();
        taken
    }

    // ---- bytes ----

    /// Everything queued is to be confirmed: ends the quiet run behind it.
    pub fn close_run(&mut self) {
        self.close_run = self.outbox.pending() > 0 || self.inflight.has_open_run();
    }

    /// The next bytes to send; empty when there are none.
    pub fn transmit(&mut self, unix_now: u32) -> &[u8] {
        if self.wire.is_empty() {
            self.fill(unix_now);
        }
        self.wire.unsent()
    }

    fn fill(&mut self, unix_now: u32) {
        if self.inflight.is_in_doubt() {
            self.wire.bytes.extend_from_slice(meta::NOOP);
            self.inflight.doubt_asked();
            return;
        }
        // While `mn` is unanswered nothing may be written that can't be asked again.
        if let Some(dialect) = self.spoken()
            && self.probe != Probe::Asked
            && !self.inflight.awaits_read()
        {
            self.fill_background(dialect, unix_now);
            if self.outbox.unencoded_bytes() > 0 {
                return;
            }
            if self.inflight.has_open_run() {
                if !self.close_run && self.asks.is_one_read() {
                    self.inflight.close_run_by_read();
                } else if self.close_run || self.asks.is_open() {
                    self.wire.bytes.extend_from_slice(meta::NOOP);
                    self.inflight.close_run();
                }
            }
            self.close_run = false;
        }
        self.fill_asks();
    }

    fn fill_background(&mut self, dialect: Dialect, unix_now: u32) {
        // A server that does not know `ms` reads the value as commands: none goes out as such before
        // meta was heard.
        let is_presumed = dialect == Dialect::Meta && self.dialect().is_none();
        // A record takes about as many bytes on the wire as in the queue.
        let bytes = self.outbox.unencoded_bytes().min(encoder::MOST);
        self.wire.bytes.reserve(bytes);
        let already = self.wire.commands();
        self.spelling.at(unix_now);
        self.outbox.encode_some(
            !is_presumed,
            &mut Encoder {
                wire: &mut self.wire,
                inflight: &mut self.inflight,
                spelling: &mut self.spelling,
                dialect,
                noreply: self.noreply,
                unix_now,
            },
        );
        if dialect == Dialect::Meta {
            self.inflight.quiet(self.wire.commands() - already);
        }
    }

    fn fill_asks(&mut self) {
        let asks = self.asks.wire();
        if asks.is_empty() {
            return;
        }
        self.wire.push_asks(asks);
        self.books.commands_sent += self.asks.take_commands();
        if !self.asks_written {
            self.inflight.asks();
            self.asks_written = true;
        }
    }

    /// The kernel took `n` of the bytes that [`transmit`](Self::transmit) gave.
    pub fn transmitted(&mut self, n: usize) {
        self.books.bytes_sent += n as u64;
        let sent = self.wire.transmitted(n);
        if self.wire.is_empty() {
            self.outbox.release_encoded();
        } else {
            self.outbox.release(sent);
        }
        self.books.sent += sent;
        self.books.commands_sent += sent;
        if self.noreply && self.spoken() == Some(Dialect::Classic) {
            self.books.unverified += sent;
        }
    }

    /// Bytes came.
    ///
    /// # Errors
    /// [`Broken`]: the connection must be thrown away ([`closed`](Self::closed)) and nothing it
    /// answered after may be believed.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        let mut inbox = std::mem::take(&mut self.inbox);
        let outcome = inbox.feed(bytes, self);
        self.inbox = inbox;
        outcome
    }

    /// Gives back the memory of buffers that a burst has grown. Whether that was so much that the
    /// process should give it back to the system.
    pub fn shrink(&mut self) -> bool {
        self.wire.shrink();
        self.outbox.shrink();
        self.inflight.shrink();
        self.outbox.is_past_a_burst()
    }
}

impl Sink<Broken> for Connection {
    fn reply(&mut self, reply: Reply<'_>) -> Result<(), Broken> {
        if let Phase::Greeting { greeting, presumed } = &mut self.phase {
            if let Some(dialect) = greeting.hear(reply, self.protocol, &mut self.version)? {
                let unasked = *presumed == Some(Dialect::Classic)
                    && self.protocol == Protocol::Auto
                    && !self.classic_only;
                if unasked && greeting::may_speak_meta(&self.version) {
                    self.probe = Probe::Wanted;
                }
                self.phase = Phase::Open(dialect);
            }
            return Ok(());
        }
        let asks_left = self.wire.have_asks_left();
        match self.inflight.settle(reply, asks_left, &mut self.books)? {
            Whose::Background => return Ok(()),
            Whose::Probe => {
                self.probe = Probe::No;
                match reply {
                    Reply::Mn => self.phase = Phase::Open(Dialect::Meta),
                    Reply::Error(ErrorKind::Unknown, b"ERROR") => {}
                    Reply::Error(ErrorKind::Client, _) => return Err(Broken::NotMeta),
                    _ => return Err(Broken::Unexpected("to a question for meta")),
                }
                return Ok(());
            }
            Whose::Asks => self.asks.settle(reply)?,
            Whose::AsksError(Doubt { kind, line }) => {
                self.asks.settle(Reply::Error(kind, &line))?;
            }
        }
        if !self.asks.is_open() && self.asks.wire().is_empty() {
            self.inflight.asks_answered();
        }
        Ok(())
    }

    fn hds(&mut self, count: u64) -> u64 {
        match self.phase {
            Phase::Open(_) => self.inflight.settle_hds(count, &self.books),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
