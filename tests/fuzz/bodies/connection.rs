//! One connection's state machine on a virtual clock: calls, bytes of a modelled server or of nobody, time-outs and
//! resets in any order. The books are checked at every step; as long as all bytes came from the server, every
//! answer is that of its own key, every error that of its own command, and everything comes to an end.

use super::Feed;
use crate::model::{Kind, SICK, Session, Store};
use std::time::{Duration, Instant};
use wrstats::connection::asks::Answer;
use wrstats::connection::backoff::Backoff;
use wrstats::connection::{Broken, Connection, Opening, Protocol};
use wrstats::protocol::key::Parts;
use wrstats::protocol::request::{Action, StoreMode};
use wrstats::protocol::ttl::Ttl;

const BUFFER: usize = 4096;
const UNIX_NOW: u32 = 1_790_000_000;

struct World {
    connection: Connection,
    store: Store,
    session: Session,
    is_open: bool,
    classic_only: bool,
    /// No foreign byte has come on this connection.
    honest: bool,
    /// Nor on any before.
    always_honest: bool,
    closes: u64,
    to_server: Vec<u8>,
    to_client: Vec<u8>,
    asked: Vec<String>,
    calls: u64,
    called: u64,
}

pub fn run(data: &[u8]) {
    let mut feed = Feed(data);
    let kind = Kind::ALL[usize::from(feed.byte()) % Kind::ALL.len()];
    let protocol = [Protocol::Auto, Protocol::Classic][usize::from(feed.byte() & 1)];
    let noreply = feed.byte() & 1 == 1;
    let mut now = Instant::now();
    let mut backoff = Backoff::new(Duration::from_secs(1), 1);
    let mut w = World {
        connection: Connection::new(protocol, noreply, BUFFER),
        store: Store::default(),
        session: Session::new(kind),
        is_open: false,
        classic_only: false,
        honest: true,
        always_honest: true,
        closes: 0,
        to_server: Vec::new(),
        to_client: Vec::new(),
        asked: Vec::new(),
        calls: 0,
        called: 0,
    };
    for n in 0..4 {
        w.store.put(&format!("abc{n}"), b"abc", 0);
    }
    for n in 0..8 {
        w.store
            .put(&format!("v{n}"), format!("v{n}=0").as_bytes(), 0);
    }
    while let Some(op) = feed.next() {
        let n = usize::from(feed.byte());
        match op % 16 {
            0..3 => w.incr(n),
            3 => w.write(n),
            4 if !w.is_open && !backoff.is_down(now) => w.open(kind, n),
            4..7 => w.transmit(n),
            7 | 8 => w.serve(n),
            9..12 => {
                if !w.receive(n) {
                    backoff.failed(now);
                }
            }
            12 if n < 32 && w.is_open => {
                (w.honest, w.always_honest) = (false, false);
                w.to_client.splice(0..0, feed.bytes().iter().copied());
            }
            12 => w.read(n),
            13 => w.connection.close_run(),
            14 if n < 64 => {
                w.close();
                backoff.failed(now);
                match n % 3 {
                    0 => w.connection.drop_overwriting(),
                    1 => w.connection.drop_all(),
                    _ => {}
                }
            }
            14 => _ = w.is_open && w.connection.begin_probe(),
            _ => now += Duration::from_millis(n as u64 * 20),
        }
        w.check(kind, noreply);
    }
    w.end(kind, noreply);
}

impl World {
    fn incr(&mut self, n: usize) {
        let key = match n {
            0..48 => format!("c{}", n % 4),
            48..56 => format!("abc{}", n % 4),
            56..64 => format!("noroom{}", n % 4),
            _ => format!("new{}", self.calls),
        };
        let queued = self.connection.incr(
            Parts::bare(key.as_bytes()),
            n as u64,
            Ttl::FOREVER,
            n as u64,
        );
        self.calls += u64::from(queued.is_ok());
        self.called += n as u64;
    }

    fn write(&mut self, n: usize) {
        let key = format!("v{}", n % 8);
        let value = format!("{key}={}", "x".repeat(n));
        let ttl = Ttl::FOREVER;
        let action = match n / 8 % 4 {
            0 => Action::Store {
                mode: StoreMode::Set,
                flags: 0,
                ttl,
                value: value.as_bytes(),
            },
            1 => Action::Store {
                mode: StoreMode::Add,
                flags: 0,
                ttl,
                value: value.as_bytes(),
            },
            2 => Action::Delete,
            _ => Action::Touch { ttl },
        };
        self.calls += u64::from(
            self.connection
                .queue(Parts::bare(key.as_bytes()), &action)
                .is_ok(),
        );
    }

    fn open(&mut self, kind: Kind, n: usize) {
        self.session = Session::new(kind);
        (self.is_open, self.honest) = (true, true);
        self.connection.opened(match (self.classic_only, n & 1) {
            (true, _) => Opening::Classic,
            (_, 0) => Opening::Ask,
            _ => Opening::AtOnce,
        });
    }

    fn close(&mut self) {
        if self.is_open {
            self.classic_only |= self.connection.is_noop_unheard();
            self.connection.closed();
            self.to_server.clear();
            self.to_client.clear();
            self.asked.clear();
            self.is_open = false;
            self.closes += 1;
        }
    }

    fn transmit(&mut self, n: usize) {
        if self.is_open {
            let bytes = self.connection.transmit(UNIX_NOW);
            let taken = bytes.len().min(n * 16);
            self.to_server.extend_from_slice(&bytes[..taken]);
            self.connection.transmitted(taken);
        }
    }

    fn serve(&mut self, n: usize) {
        let some: Vec<u8> = self
            .to_server
            .drain(..self.to_server.len().min(n * 16))
            .collect();
        self.session
            .hear(&mut self.store, &some, &mut self.to_client);
    }

    /// False: the connection had to be given up.
    fn receive(&mut self, n: usize) -> bool {
        if !self.is_open {
            return true;
        }
        let some: Vec<u8> = self
            .to_client
            .drain(..self.to_client.len().min(n))
            .collect();
        let ended = some.is_empty() && self.session.closed;
        match self.connection.receive(&some) {
            Ok(()) if !ended => return true,
            Ok(()) => {}
            Err(Broken::NotMeta) => self.classic_only = true,
            Err(broken) => assert!(!self.honest, "{broken:?} though the server is right"),
        }
        self.close();
        false
    }

    /// Asks for values, and looks at the answers once they are there.
    fn read(&mut self, n: usize) {
        if !self.is_open {
            return;
        }
        if self.connection.was_interrupted() {
            if self.connection.has_open_asks() && n & 1 == 1 {
                // The call that waited is over: nothing that comes now can be believed.
                self.close();
            } else if !self.connection.has_open_asks() {
                self.connection.end_wait();
                self.check_answers();
            }
        } else if self.connection.can_ask(true) {
            self.asked = (0..n % 5)
                .map(|i| match (n + i * 3) % 9 {
                    8 => SICK.into(),
                    v => format!("v{v}"),
                })
                .collect();
            self.connection.begin_wait();
            self.connection
                .ask_reads(self.asked.iter().map(String::as_bytes), n & 1 == 1);
        }
    }

    fn check_answers(&mut self) {
        let (answers, bytes) = self.connection.take_answers();
        assert_eq!(answers.len(), self.asked.len());
        let fails = self.asked.iter().any(|key| key == SICK);
        for (key, answer) in self.asked.drain(..).zip(answers) {
            match answer {
                Answer::Value { data, .. } if self.honest => {
                    assert!(bytes[data].starts_with(format!("{key}=").as_bytes()))
                }
                Answer::Missing if !fails => {}
                Answer::Error(..) if fails => {}
                other => assert!(!self.honest, "{other:?} to a read"),
            }
        }
    }

    fn check(&self, kind: Kind, noreply: bool) {
        let books = self.connection.books();
        assert!(books.balanced(), "{books:?}");
        assert_eq!(books.calls(), self.calls, "{books:?}");
        assert!(books.pending_bytes as usize <= BUFFER + 1024, "{books:?}");
        assert!(self.is_open || books.in_flight() == 0, "{books:?}");
        assert!(
            noreply || books.unverified == 0 || kind == Kind::Mcrouter,
            "{books:?}"
        );
        let there: u64 = self
            .store
            .items
            .keys()
            .filter(|key| !key.starts_with('v') && !key.starts_with("abc"))
            .map(|key| self.store.counter(key))
            .sum();
        assert!(there <= self.called, "counted more often than called for");
        if self.always_honest {
            assert!(books.failed <= self.store.errors, "{books:?}");
        }
    }

    /// From an honest server everything comes in the end.
    fn end(&mut self, kind: Kind, noreply: bool) {
        let mut rounds = 0;
        while self.is_open && self.honest && !self.connection.is_settled() {
            if self.connection.was_interrupted() && !self.connection.has_open_asks() {
                self.connection.end_wait();
                self.check_answers();
            }
            self.connection.close_run();
            self.transmit(usize::MAX / 16);
            self.serve(usize::MAX / 16);
            self.receive(usize::MAX);
            self.check(kind, noreply);
            rounds += 1;
            assert!(rounds < 20, "{:?}", self.connection);
        }
        let books = self.connection.books();
        if self.is_open && self.always_honest && self.closes == 0 {
            assert_eq!(books.failed, self.store.errors, "{books:?}");
        }
    }
}
