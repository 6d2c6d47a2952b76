//! One server of a pool: its connection, the socket under it, and what to do when either fails.
//!
//! Nothing here waits. [`Link::advance`] does what can be done now; who must wait asks
//! [`Link::interest`] what for.

mod socket;
mod wording;

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use super::config::Config;
use super::endpoint::{Address, Endpoint, Server};
use super::failure::{Code, Failure, error_text};
use crate::connection::backoff::Backoff;
use crate::connection::{Broken, Connection, Dialect, Opening};
use crate::driver::poll::Interest;
use crate::driver::resolve::Resolver;
use crate::driver::transport::{Peer, Received};
use socket::{Connecting, Socket};

/// Bytes of queued records at which they are sent without being asked to: just under what one
/// send takes in wire form. With a small `buffer_bytes`, half of that.
pub const SEND_AT: usize = 48 << 10;
/// Most reads at a time: replies without end must not keep a caller from looking at its deadline.
const READS_AT_ONCE: usize = 64;
/// Bytes sent without looking for replies. Each look is a system call, and waking up for every
/// reply slows the server down as well (measured).
const DRAIN_EVERY: usize = 1 << 20;
/// And for how long.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Sendfuls that are held back for a moment at which meta can be asked for.
const PATIENCE: usize = 8;
/// Without a send or a look: from this on the server may have been restarted meanwhile, so a look comes first. A write
/// on a connection that it has closed would be lost.
const PAUSE: Duration = Duration::from_millis(10);

/// The time at which something is done; taken once per step.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// For deadlines.
    pub instant: Instant,
    /// For lifetimes.
    pub unix: u32,
}

impl Now {
    /// The time by the clock.
    pub fn read() -> Now {
        Now {
            instant: crate::driver::clock::now(),
            unix: crate::driver::clock::unix(),
        }
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct Link {
    endpoint: Endpoint,
    name: Box<str>,
    weight: u32,
    connect_timeout: Duration,
    timeout: Duration,
    resolver: Resolver,
    socket: Socket,
    /// How many sockets there have been: tells whether a question was asked on this one.
    serial: u64,
    connection: Connection,
    backoff: Backoff,
    /// Why the server is marked down, or the last connection ended.
    failure: Option<Failure>,
    /// When it was marked down.
    failed_at: Option<Instant>,
    /// The server closed a connection on `mn`: say nothing but classic on the next.
    classic_only: bool,
    /// [`SEND_AT`], or half the bound.
    sendful: usize,
    /// [`Connection::unencoded_bytes`] at which to try the next send.
    send_at: usize,
    /// The tick of a coarse clock at which a full queue was last tried to be sent.
    full_at: u64,
    undrained: usize,
    /// The last look for replies.
    looked_at: Instant,
    /// The last time the kernel took something.
    sent_at: Instant,
    /// When the server must have answered the greeting or the question for meta.
    greet_by: Instant,
    /// [`Books::bad`](crate::connection::books::Books::bad) at the last sync.
    bad_before: u64,
    /// How long request ends have waited for this server since it last answered with nothing left to send. (That
    /// the kernel takes more proves nothing: it does so now and then for a server that is stopped.)
    waited: Duration,
}

impl Link {
    /// A link to `server` that has never been used.
    pub fn new(server: &Server, config: &Config) -> Self {
        let endpoint = server.endpoint().clone();
        let name: Box<str> = String::from_utf8_lossy(endpoint.name()).into();
        Link {
            weight: server.weight(),
            connect_timeout: config.connect_timeout,
            timeout: config.timeout,
            resolver: Resolver::default(),
            socket: Socket::None,
            serial: 0,
            connection: Connection::new(config.protocol, config.noreply, config.buffer_bytes),
            backoff: Backoff::new(config.retry_interval, fastrand::u64(..)),
            failure: None,
            failed_at: None,
            classic_only: false,
            sendful: SEND_AT.min(config.buffer_bytes / 2),
            send_at: SEND_AT.min(config.buffer_bytes / 2),
            full_at: 0,
            undrained: 0,
            looked_at: crate::driver::clock::now(),
            sent_at: crate::driver::clock::now(),
            greet_by: crate::driver::clock::now(),
            bad_before: 0,
            waited: Duration::ZERO,
            endpoint,
            name,
        }
    }

    /// As `serverFor()` names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Its share of the keys.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// The state machine.
    #[inline]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The state machine, to queue and to ask.
    #[inline]
    pub fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Which socket this is; changes whenever a new one is made.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Whether a new send is worth a try: another sendful is queued.
    #[inline(always)]
    pub fn is_send_due(&self) -> bool {
        self.connection.unencoded_bytes() >= self.send_at
    }

    /// Whether a full queue was not yet tried to be sent at this tick of a coarse clock.
    pub fn is_retry_due(&mut self, tick: u64) -> bool {
        std::mem::replace(&mut self.full_at, tick) != tick
    }

    /// Whether its queue takes so many bytes more.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.connection.has_room(bytes)
    }

    /// Whether [`is_down`](Self::is_down) is worth asking the clock for.
    pub fn may_be_down(&self) -> bool {
        matches!(self.socket, Socket::None) && self.backoff.has_failed()
    }

    /// Whether the server failed so lately that it is left alone.
    pub fn is_down(&self, now: Instant) -> bool {
        matches!(self.socket, Socket::None) && self.backoff.is_down(now)
    }

    /// Whether there is a socket that can carry bytes.
    pub fn is_up(&self) -> bool {
        matches!(self.socket, Socket::Up(_))
    }

    /// Whether there is a socket, connected or connecting.
    pub fn has_socket(&self) -> bool {
        !matches!(self.socket, Socket::None)
    }

    /// Why it is down, or why its last connection ended.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// One word for `servers()`.
    pub fn state(&self, now: Instant) -> &'static str {
        match &self.socket {
            Socket::Up(_) if self.connection.dialect().is_some() => "connected",
            Socket::Up(_) | Socket::Connecting { .. } => "connecting",
            Socket::None if self.backoff.is_down(now) => "down",
            Socket::None => "idle",
        }
    }

    /// Seconds until a server that is down is tried again.
    pub fn retry_in(&self, now: Instant) -> Duration {
        self.backoff.remaining(now)
    }

    /// Why a call gets no answer from this server.
    pub fn failure_now(&self, now: Instant) -> Failure {
        let Some(failure) = &self.failure else {
            return Failure::connection(Code::NoResponse, &self.name, "no answer");
        };
        if !self.is_down(now) || self.failed_at == Some(now) {
            return failure.clone();
        }
        let wait = self.retry_in(now).as_secs_f64();
        let why = &failure.message;
        let message = format!("marked down, to be tried again in {wait:.1} s: {why}");
        Failure::connection(failure.code, &self.name, message)
    }

    /// A sync ends, `waited` after it began: why not all that was queued since the last one is
    /// confirmed.
    pub fn synced(&mut self, waited: Duration, now: Instant) -> Result<(), Failure> {
        let bad = self.connection.books().bad();
        let is_worse = std::mem::replace(&mut self.bad_before, bad) != bad;
        let complaint = self.connection.take_complaint();
        if !self.connection.is_settled() {
            return Err(if self.is_down(now) {
                self.failure_now(now)
            } else {
                let what = format!("no answer within {}", wording::seconds(waited));
                Failure::connection(Code::NoResponse, &self.name, what)
            });
        }
        if !is_worse {
            return Ok(());
        }
        Err(match (complaint, &self.failure) {
            (Some(line), _) => Failure::server(&self.name, wording::printable(error_text(&line))),
            (None, Some(failure)) => failure.clone(),
            (None, None) => Failure::connection(Code::NoResponse, &self.name, "no answer"),
        })
    }

    // ---- sockets ----

    /// Begins to connect if there is no socket and the server is not marked down.
    pub fn open(&mut self, now: Now) {
        if !matches!(self.socket, Socket::None) || self.backoff.is_down(now.instant) {
            return;
        }
        match self.peers(now.instant) {
            Ok(peers) => {
                let deadline = now.instant + self.connect_timeout;
                self.connect(peers, deadline, now);
            }
            Err(error) => self.fail(Code::Unreachable, &format!("no address: {error}"), now),
        }
    }

    /// All addresses, last to be tried first.
    fn peers(&mut self, now: Instant) -> io::Result<Vec<Peer>> {
        let mut peers: Vec<Peer> = match self.endpoint.address() {
            Address::Unix(path) => vec![Peer::Unix(path.as_os_str().as_bytes().into())],
            Address::Tcp { host, port } => self
                .resolver
                .resolve(host, port, self.connect_timeout, now)?
                .into_iter()
                .map(Peer::Tcp)
                .collect(),
        };
        peers.reverse();
        Ok(peers)
    }

    fn connect(&mut self, peers: Vec<Peer>, deadline: Instant, now: Now) {
        match Socket::connect(peers, deadline, now.instant) {
            Ok(socket) => {
                self.serial += 1;
                self.socket = socket;
            }
            Err(why) => self.fail(Code::Unreachable, &why, now),
        }
    }

    /// Looks how the connecting goes. True: bytes may be sent.
    fn finish_connect(&mut self, now: Now, at_once: bool) -> bool {
        match self
            .socket
            .finish_connect(self.connect_timeout, now.instant)
        {
            Connecting::Done => {
                self.greet_by = now.instant + self.timeout;
                self.connection.opened(self.opening(at_once));
                self.connection.books_mut().connects += 1;
            }
            Connecting::AnotherAddress => self.serial += 1,
            Connecting::Failed(why) => self.fail(Code::Unreachable, &why, now),
            Connecting::Nothing => {}
        }
        self.is_up()
    }

    /// How to begin on a fresh socket; `at_once`: what is queued should be handed over now.
    fn opening(&self, at_once: bool) -> Opening {
        if self.classic_only {
            Opening::Classic
        } else if self.backoff.has_failed() {
            // Written at once, it might be lost to a server that isn't well yet.
            Opening::Ask
        } else if at_once && !self.connection.is_drained() {
            Opening::AtOnce
        } else {
            Opening::Ask
        }
    }

    /// The server is of no use for now: marks it down.
    fn fail(&mut self, code: Code, why: &str, now: Now) {
        self.close();
        // What comes next at that address may be another kind of server.
        self.classic_only = false;
        self.failure = Some(Failure::connection(code, &self.name, why));
        self.failed_at = Some(now.instant);
        self.backoff.failed(now.instant);
        self.connection.drop_overwriting();
    }

    /// The connection ended without a sign that the server is of no use.
    fn end(&mut self, why: &str) {
        self.failure = Some(Failure::connection(Code::NoResponse, &self.name, why));
        self.close();
    }

    fn close(&mut self) {
        if self.is_up() {
            self.connection.books_mut().disconnects += 1;
        }
        if self.connection.dialect().is_some() {
            self.classic_only = false;
        }
        self.socket = Socket::None;
        self.connection.closed();
        self.send_at = self.sendful;
        self.undrained = 0;
    }

    /// A call waited in vain: nothing that still comes may be taken for another's answer.
    pub fn time_out(&mut self, waited: Duration, now: Now) {
        self.connection.books_mut().timeouts += 1;
        let (code, what) = match self.socket {
            Socket::Connecting { .. } => (Code::Unreachable, "no connection"),
            _ => (Code::NoResponse, "no answer"),
        };
        self.fail(
            code,
            &format!("{what} within {}", wording::seconds(waited)),
            now,
        );
    }

    /// A connection that a call left in the middle of an exchange is of no use to anyone.
    pub fn discard_interrupted(&mut self) {
        if self.connection.was_interrupted() {
            self.end("the call that waited was interrupted");
        }
    }

    /// Lets go of the socket without a word, and of all that was queued: they are the parent's.
    pub fn forget(&mut self, config: &Config) {
        self.socket = Socket::None;
        self.connection = Connection::new(config.protocol, config.noreply, config.buffer_bytes);
        self.failure = None;
        self.failed_at = None;
        self.classic_only = false;
        self.send_at = self.sendful;
        self.undrained = 0;
        self.waited = Duration::ZERO;
        self.bad_before = 0;
        self.backoff = Backoff::new(config.retry_interval, fastrand::u64(..));
    }

    /// Gives up everything queued and closes.
    pub fn shut(&mut self) {
        self.close();
        self.connection.drop_all();
    }

    // ---- bytes ----

    /// Does what can be done without waiting: opens, finishes connecting, takes what has come,
    /// sends what is to be sent.
    ///
    /// `at_once`: a fresh socket gets what is queued with its first bytes (see [`Opening`]).
    pub fn advance(&mut self, now: Now, scratch: &mut [u8], at_once: bool) {
        if self.prepare(now, scratch, at_once) {
            self.send(now, scratch);
        }
    }

    /// Everything of [`advance`](Self::advance) but the sending. True: there is a socket to send on.
    ///
    /// The look for replies comes before anything is written: a server that has closed meanwhile
    /// is noticed, and the write goes to a new connection instead of nowhere.
    pub fn prepare(&mut self, now: Now, scratch: &mut [u8], at_once: bool) -> bool {
        self.open(now);
        if !self.finish_connect(now, at_once) {
            return false;
        }
        self.take(now, scratch);
        if self.is_greeting() && now.instant >= self.greet_by {
            // Nobody may be waiting, but a connection that will never be one must not be kept for ever.
            let why = format!("no answer within {}", wording::seconds(self.timeout));
            self.connection.books_mut().timeouts += 1;
            self.fail(Code::NoResponse, &why, now);
        } else if !self.is_up() {
            self.open(now);
            self.finish_connect(now, at_once);
        }
        self.is_up()
    }

    /// Whether nothing can be relied on before the server has answered.
    fn is_greeting(&self) -> bool {
        self.is_up() && (self.connection.dialect().is_none() || self.connection.is_noop_unheard())
    }

    /// A sendful is queued: sends, and looks for replies now and then only.
    pub fn send_on(&mut self, now: Now, scratch: &mut [u8]) {
        let is_fresh = now.instant.saturating_duration_since(self.looked_at) < LOOK_EVERY
            && now
                .instant
                .saturating_duration_since(self.sent_at.max(self.looked_at))
                < PAUSE;
        let is_open = self.is_up() && self.connection.dialect().is_some();
        if self.is_up() && self.connection.is_dialect_open() {
            self.probe(now, scratch);
        } else if !is_open || !is_fresh || self.undrained >= DRAIN_EVERY {
            // Another sendful will come: there is time to find out the dialect.
            self.advance(now, scratch, false);
        } else {
            self.send(now, scratch);
        }
        // What the kernel did not take is tried again with the next sendful, not at every call.
        self.send_at = self.connection.unencoded_bytes() + self.sendful;
    }

    /// Asks for meta if no reply is due; what is queued waits for the answer, or for a moment when
    /// it can be asked.
    fn probe(&mut self, now: Now, scratch: &mut [u8]) {
        self.take(now, scratch);
        let begun = self.begin_probe(now);
        // A server that takes long over what it got is written to in classic after all.
        if begun || self.connection.unencoded_bytes() >= PATIENCE * self.sendful {
            self.send(now, scratch);
        }
    }

    /// Puts the question for meta before whatever is sent next, if it is wanted and no reply is due.
    pub fn begin_probe(&mut self, now: Now) -> bool {
        let begun = self.connection.begin_probe();
        if begun {
            self.greet_by = now.instant + self.timeout;
        }
        begun
    }

    /// Sends until the kernel takes no more, or nothing is left.
    pub fn send(&mut self, now: Now, scratch: &mut [u8]) {
        let mut drained = false;
        loop {
            let Socket::Up(transport) = &self.socket else {
                return;
            };
            let bytes = self.connection.transmit(now.unix);
            if bytes.is_empty() {
                // While it is open, the next command brings the dialect forward.
                let open = self.connection.is_dialect_open();
                self.send_at = if open { 0 } else { self.sendful };
                return;
            }
            let outcome = transport.send(bytes);
            self.connection.books_mut().writes += 1;
            match outcome {
                Ok(0) if drained => return,
                Ok(0) => {
                    // Perhaps the server waits for us to take its replies.
                    drained = true;
                    self.take(now, scratch);
                }
                Ok(n) => {
                    self.connection.transmitted(n);
                    self.undrained += n;
                    self.sent_at = now.instant;
                    if self.connection.is_settled() {
                        // Nothing is asked for: there won't be an answer.
                        self.waited = Duration::ZERO;
                    }
                    drained = false;
                }
                Err(error) => {
                    // Its last words may still be there to read.
                    self.take(now, scratch);
                    if self.is_up() {
                        self.broke(&error, now);
                    }
                    return;
                }
            }
        }
    }

    /// Takes all that has come.
    fn take(&mut self, now: Now, scratch: &mut [u8]) {
        self.undrained = 0;
        // After a pause an end may stand behind the replies, and is worth a second look.
        let paused = now.instant.saturating_duration_since(self.looked_at) >= PAUSE;
        self.looked_at = now.instant;
        self.take_all(now, scratch, paused);
    }

    fn has_hung_up(&self) -> bool {
        match &self.socket {
            Socket::Up(transport) => transport.has_hung_up(),
            _ => false,
        }
    }

    fn take_all(&mut self, now: Now, scratch: &mut [u8], paused: bool) {
        for _ in 0..READS_AT_ONCE {
            let Socket::Up(transport) = &self.socket else {
                return;
            };
            let outcome = transport.recv(scratch);
            self.connection.books_mut().reads += 1;
            match outcome {
                Ok(Received::Nothing) => return,
                Ok(Received::Bytes(n)) => {
                    if let Err(broken) = self.connection.receive(&scratch[..n]) {
                        return self.discard(broken, now);
                    }
                    if self.connection.is_drained() {
                        self.waited = Duration::ZERO;
                    }
                    if self.connection.dialect().is_some() && self.backoff.has_failed() {
                        self.backoff.succeeded();
                    }
                    let all = n < scratch.len();
                    if all && !(paused && self.has_hung_up()) {
                        return;
                    }
                }
                Ok(Received::End) => return self.ended(now),
                Err(error) => return self.broke(&error, now),
            }
        }
    }

    /// The other side has closed.
    fn ended(&mut self, now: Now) {
        if self.connection.is_noop_unheard() {
            self.not_meta(now);
        } else if self.connection.dialect().is_none() {
            self.fail(Code::NoResponse, "closed the connection at once", now);
        } else {
            self.end("closed the connection");
        }
    }

    fn broke(&mut self, error: &io::Error, now: Now) {
        if self.connection.is_noop_unheard() {
            self.not_meta(now);
        } else if self.connection.dialect().is_none() {
            self.fail(Code::NoResponse, &wording::describe(error), now);
        } else {
            self.end(&wording::describe(error));
        }
    }

    /// Something is on the connection that should not be.
    fn discard(&mut self, broken: Broken, now: Now) {
        if broken == Broken::NotMeta {
            return self.not_meta(now);
        }
        self.fail(Code::Unexpected, &wording::broken(broken), now);
    }

    /// Closed on `mn`: a proxy, or an old server. Classic then, on a new connection.
    fn not_meta(&mut self, now: Now) {
        if self.connection.demands_meta() {
            return self.fail(Code::Unexpected, &wording::not_spoken(None), now);
        }
        self.end("does not speak meta");
        self.failure = None;
        self.classic_only = true;
        self.open(now);
    }

    /// What to wait for; none if there is no socket.
    pub fn interest(&mut self, now_unix: u32) -> Option<Interest<'_>> {
        let (readable, writable) = match &self.socket {
            Socket::Up(_) => (
                self.connection.expects_bytes(),
                !self.connection.transmit(now_unix).is_empty(),
            ),
            _ => (false, true),
        };
        Some(Interest {
            transport: self.socket.transport()?,
            readable,
            writable,
        })
    }

    /// When to look again although nothing happened.
    pub fn next_timer(&self) -> Option<Instant> {
        match self.socket {
            Socket::Connecting { give_up, .. } => Some(give_up),
            Socket::Up(_) if self.is_greeting() => Some(self.greet_by),
            _ => None,
        }
    }

    /// The dialect, once known.
    pub fn dialect(&self) -> Option<Dialect> {
        self.connection.dialect()
    }

    /// How much longer a request's end may wait for this server, of `limit` that are allowed until it
    /// has caught up.
    pub fn patience(&self, limit: Duration) -> Duration {
        if self.connection.is_drained() {
            Duration::ZERO
        } else {
            limit.saturating_sub(self.waited)
        }
    }

    /// A request's end has waited for so long.
    pub fn has_waited(&mut self, time: Duration) {
        if !self.connection.is_settled() {
            self.waited += time;
        }
    }
}
