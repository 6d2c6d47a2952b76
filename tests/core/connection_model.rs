//! `Connection` against a modelled server, on no sockets: calls, bytes and closes in any order.
//!
//! The harness is the network: it holds the bytes on their way in both directions, cuts them anywhere, and
//! keeps its own ledger of what it saw leave. At every step the books must agree with that ledger, and
//! for every counter: confirmed <= value <= confirmed + lost + in flight.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use proptest::sample::Index;

use wrstats::connection::asks::Answer;
use wrstats::connection::outbox::Queued;
use wrstats::connection::{Broken, Connection, Opening, Protocol};
use wrstats::protocol::key::Parts;
use wrstats::protocol::reply::ErrorKind;
use wrstats::protocol::request::{Action, Command, StoreMode};
use wrstats::protocol::ttl::Ttl;

use crate::model::{self, Kind, Session, Store};

/// Counters that merge.
const COUNTERS: usize = 5;
/// Of these increments fail: two are text, for two there is no room.
const FAILING: [&str; 4] = ["abc0", "noroom0", "abc1", "noroom1"];
/// The step of increments that wait for their answer, which no others add up to.
const ASKED: u64 = 1_000_000_000;
const NOW: u32 = 1_790_000_000;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Event {
    /// An increment of a counter that others increment too.
    Incr(Index, u64),
    /// Increments of counters of their own.
    IncrNew(u8),
    /// An increment that fails: of something that is no counter, or where there is no room for one.
    IncrBad(Index),
    /// A decrement of a counter that isn't there.
    DecrMissing,
    /// A value write, removal or touch, in the background.
    Write(Index, u8),
    Flush,
    Open,
    /// So many bytes leave (at most).
    Transmit(u16),
    /// So many arrive at the server.
    ToServer(u16),
    /// So many come back.
    ToClient(u16),
    /// A waiting read, carried to its end in pieces of this size; it may be cut off after some.
    Read(Index, Option<Sick>, u8, Option<u8>),
    /// A waiting increment, the same.
    IncrAndGet(Index, u8, Option<u8>),
    /// The connection ends; what is on its way to the server may still arrive.
    Close {
        arrives: Index,
    },
    /// And the server is marked down.
    Down,
    /// Memory is given back.
    Shrink,
}

/// Where in a read the key stands at which the server fails.
#[derive(Clone, Copy, Debug)]
enum Sick {
    First,
    Middle,
    Alone,
}

fn event() -> impl Strategy<Value = Event> {
    let cut = || prop::option::weighted(0.2, 0..40u8);
    let sick = prop::sample::select(&[Sick::First, Sick::Middle, Sick::Alone]);
    let sick = prop::option::weighted(0.4, sick);
    prop_oneof![
        8 => (any::<Index>(), 1..4u64).prop_map(|(key, step)| Event::Incr(key, step)),
        4 => (1..40u8).prop_map(Event::IncrNew),
        4 => any::<Index>().prop_map(Event::IncrBad),
        1 => Just(Event::DecrMissing),
        4 => (any::<Index>(), any::<u8>()).prop_map(|(key, what)| Event::Write(key, what)),
        3 => Just(Event::Flush),
        3 => Just(Event::Open),
        5 => (1..2000u16).prop_map(Event::Transmit),
        4 => (1..3000u16).prop_map(Event::ToServer),
        4 => (1..3000u16).prop_map(Event::ToClient),
        3 => (any::<Index>(), sick, 1..200u8, cut())
            .prop_map(|(key, sick, size, cut)| Event::Read(key, sick, size, cut)),
        2 => (any::<Index>(), 1..200u8, cut()).prop_map(|(key, size, cut)| Event::IncrAndGet(key, size, cut)),
        1 => any::<Index>().prop_map(|arrives| Event::Close { arrives }),
        1 => Just(Event::Down),
        1 => Just(Event::Shrink),
    ]
}

/// What is known of one counter, in steps.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    confirmed: u64,
    /// Lost, in flight, unverified, or asked for and not answered.
    perhaps: u64,
}

/// A background command that has left: its counter and step, if it is one, and whether it is bound to fail.
#[derive(Clone, Debug)]
struct Sent {
    counter: Option<(String, u64)>,
    fails: bool,
}

/// Commands of which the bytes of this fill have not all left: where they end.
type Leaving = VecDeque<(usize, Sent)>;

struct World {
    connection: Connection,
    store: Store,
    session: Session,
    kind: Kind,
    noreply: bool,
    is_open: bool,
    classic_only: bool,
    to_server: Vec<u8>,
    to_client: Vec<u8>,
    /// Commands in the buffer that `transmit` shows, and how much of that buffer has left.
    leaving: Leaving,
    left: usize,
    buffered: usize,
    /// Commands of which a byte has left, not answered yet, oldest first.
    in_flight: VecDeque<Sent>,
    known: BTreeMap<String, Known>,
    settled: u64,
    failed: u64,
    lost: u64,
    new_keys: usize,
    writes: u64,
    /// Steps taken by calls.
    called: u64,
}

impl World {
    fn new(kind: Kind, protocol: Protocol, noreply: bool) -> World {
        let mut store = Store::default();
        for key in ["abc0", "abc1"] {
            store.put(key, b"abc", 0);
        }
        for n in 0..COUNTERS {
            if n % 2 == 0 {
                store.put(&format!("c{n}"), format!("{n}").as_bytes(), 0);
            }
        }
        World {
            connection: Connection::new(protocol, noreply, 20_000),
            store,
            session: Session::new(kind),
            kind,
            noreply,
            is_open: false,
            classic_only: false,
            to_server: Vec::new(),
            to_client: Vec::new(),
            leaving: VecDeque::new(),
            left: 0,
            buffered: 0,
            in_flight: VecDeque::new(),
            known: BTreeMap::new(),
            settled: 0,
            failed: 0,
            lost: 0,
            new_keys: 0,
            writes: 0,
            called: 0,
        }
    }

    /// What a counter had before anything was added; counters' steps are thousands, so that each
    /// counter's value tells whose it is.
    fn base(key: &str) -> u64 {
        match key.as_bytes() {
            [b'c', n] if (n - b'0').is_multiple_of(2) => u64::from(n - b'0'),
            _ => 0,
        }
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Incr(key, step) => {
                let key = format!("c{}", key.index(COUNTERS));
                self.incr(&key, step * 1000);
            }
            Event::IncrNew(count) => {
                for _ in 0..*count {
                    self.new_keys += 1;
                    self.incr(&format!("new{:05}", self.new_keys), 1000);
                }
            }
            Event::IncrBad(key) => self.incr(FAILING[key.index(FAILING.len())], 1),
            Event::DecrMissing => {
                let key = Parts::bare(b"missing");
                self.connection
                    .queue(key, &Action::Decr { step: 3 })
                    .unwrap();
            }
            Event::Write(key, what) => self.write(key.index(3), *what),
            Event::Flush => self.connection.close_run(),
            Event::Open => self.open(),
            Event::Transmit(n) => self.transmit(usize::from(*n)),
            Event::ToServer(n) => self.deliver(usize::from(*n)),
            Event::ToClient(n) => self.receive(usize::from(*n)),
            Event::Read(key, sick, size, cut) => self.read(key.index(COUNTERS), *sick, *size, *cut),
            Event::IncrAndGet(key, size, cut) => {
                self.incr_and_get(key.index(COUNTERS), *size, *cut)
            }
            Event::Close { arrives } => {
                let n = arrives.index(self.to_server.len() + 1);
                self.deliver(n);
                self.close();
            }
            Event::Down => {
                self.close();
                self.connection.drop_overwriting();
            }
            Event::Shrink => {
                self.connection.shrink();
            }
        }
        self.check();
    }

    fn incr(&mut self, key: &str, step: u64) {
        let ttl = Ttl::new(60, || NOW).unwrap();
        let queued = self
            .connection
            .incr(Parts::bare(key.as_bytes()), step, ttl, step)
            .unwrap();
        if queued != Queued::Full {
            self.called += step;
        }
    }

    /// Values say which write they are of.
    fn write(&mut self, key: usize, what: u8) {
        self.writes += 1;
        let key = format!("v{key}");
        let value = format!("{key}={}{}", self.writes, " ".repeat(usize::from(what)));
        let ttl = Ttl::FOREVER;
        let store = |mode| Action::Store {
            mode,
            flags: 0,
            ttl,
            value: value.as_bytes(),
        };
        let action = match what % 5 {
            0 => store(StoreMode::Add),
            1 => store(StoreMode::Replace),
            2 => Action::Delete,
            3 => Action::Touch { ttl },
            _ => store(StoreMode::Set),
        };
        self.connection
            .queue(Parts::bare(key.as_bytes()), &action)
            .unwrap();
    }

    fn open(&mut self) {
        if !self.is_open {
            self.is_open = true;
            self.session = Session::new(self.kind);
            let opening = if self.classic_only {
                Opening::Classic
            } else {
                Opening::Ask
            };
            self.connection.opened(opening);
        }
    }

    fn close(&mut self) {
        if !self.is_open {
            return;
        }
        self.is_open = false;
        // Closed on `mn`, and on that alone: the next one is greeted in classic.
        self.classic_only = self.connection.is_noop_unheard() && !self.classic_only;
        self.connection.closed();
        self.to_server.clear();
        self.to_client.clear();
        self.leaving.clear();
        (self.left, self.buffered) = (0, 0);
        if !self.noreply || self.kind.speaks_meta() {
            self.lost += self.in_flight.len() as u64;
        }
        self.in_flight.clear();
    }

    fn transmit(&mut self, most: usize) {
        if !self.is_open {
            return;
        }
        let bytes = self.connection.transmit(NOW).to_vec();
        if self.left == self.buffered {
            self.leaving = commands(&bytes);
            (self.left, self.buffered) = (0, bytes.len());
        }
        assert_eq!(
            self.buffered - self.left,
            bytes.len(),
            "the rest of the same bytes"
        );
        let n = most.min(bytes.len());
        if n == 0 {
            return;
        }
        self.to_server.extend_from_slice(&bytes[..n]);
        self.connection.transmitted(n);
        self.left += n;
        while self
            .leaving
            .front()
            .is_some_and(|(start, _)| *start < self.left)
        {
            let (_, sent) = self.leaving.pop_front().unwrap();
            if let Some((key, step)) = &sent.counter {
                self.known.entry(key.clone()).or_default().perhaps += step;
            }
            self.in_flight.push_back(sent);
        }
    }

    fn deliver(&mut self, most: usize) {
        let n = most.min(self.to_server.len());
        let bytes: Vec<u8> = self.to_server.drain(..n).collect();
        self.session
            .hear(&mut self.store, &bytes, &mut self.to_client);
    }

    fn receive(&mut self, most: usize) {
        if !self.is_open {
            return;
        }
        let n = most.min(self.to_client.len());
        let bytes: Vec<u8> = self.to_client.drain(..n).collect();
        match self.connection.receive(&bytes) {
            Ok(()) => {}
            Err(Broken::NotMeta) => {
                self.close();
                self.classic_only = true;
                return;
            }
            Err(broken) => panic!("{broken:?}"),
        }
        self.settle();
        if self.session.closed && self.to_client.is_empty() {
            self.close();
        }
    }

    /// Takes over what the books say is answered: in order, so it is known which.
    fn settle(&mut self) {
        let books = self.connection.books();
        let mut failed = 0;
        let unverified = if self.is_noreply() {
            0
        } else {
            books.unverified
        };
        for _ in self.settled..books.confirmed + books.failed + unverified {
            let sent = self
                .in_flight
                .pop_front()
                .expect("answered, so it was sent");
            failed += u64::from(sent.fails);
            if let Some((key, step)) = sent.counter {
                let known = self.known.get_mut(&key).unwrap();
                known.confirmed += step;
                known.perhaps -= step;
            }
        }
        self.settled = books.confirmed + books.failed + unverified;
        self.failed += failed;
    }

    fn is_noreply(&self) -> bool {
        self.noreply && !self.kind.speaks_meta()
    }

    fn check(&self) {
        let books = self.connection.books();
        assert!(books.balanced(), "{books:?}");
        assert_eq!(books.failed, self.failed, "{books:?}");
        assert_eq!(books.lost, self.lost, "{books:?}");
        if self.is_noreply() {
            assert_eq!(books.unverified, books.sent, "{books:?}");
        } else {
            assert_eq!(books.in_flight(), self.in_flight.len() as u64, "{books:?}");
            assert_eq!(books.unverified, 0);
        }
        for (key, known) in &self.known {
            let value = self.store.counter(key) - Self::base(key);
            assert!(known.confirmed <= value, "{key}: {value} of {known:?}");
            assert!(
                value <= known.confirmed + known.perhaps,
                "{key}: {value} of {known:?}"
            );
        }
        let known: u64 = self
            .known
            .values()
            .map(|known| known.confirmed + known.perhaps)
            .sum();
        assert!(known <= self.called, "{known} of {}", self.called);
    }

    /// Bytes go back and forth until the questions are answered, or `cut` rounds are over.
    fn carry(&mut self, size: u8, cut: Option<u8>) -> bool {
        let mut rounds = 0;
        while self.connection.has_open_asks() || !self.connection.was_interrupted() {
            if !self.is_open || cut == Some(rounds) {
                self.close();
                return false;
            }
            let size = usize::from(size);
            if rounds == 1 && size.is_multiple_of(3) {
                // No call does this yet, but background writes may be queued at any time.
                self.happen(&Event::IncrNew(1));
                self.incr("abc1", 1);
                if size.is_multiple_of(2) {
                    self.connection.close_run();
                }
            }
            let before = (self.left, self.to_server.len(), self.to_client.len());
            self.transmit(size * 20);
            self.deliver(size * 20);
            let came = self.to_client.len();
            self.receive(size);
            let after = (self.left, self.to_server.len(), self.to_client.len());
            let moves = before != after || came > 0 || !self.is_open;
            assert!(moves, "it waits for ever: {:?}", self.connection);
            rounds = rounds.saturating_add(1);
        }
        self.connection.end_wait();
        true
    }

    fn ready_to_ask(&mut self, reads_only: bool, size: u8) {
        self.open();
        while !self.connection.can_ask(reads_only) {
            self.transmit(usize::from(size));
            self.deliver(usize::from(size));
            self.receive(usize::from(size));
            // It may have been closed on `mn`.
            self.open();
        }
        self.connection.begin_wait();
    }

    fn read(&mut self, counter: usize, sick: Option<Sick>, size: u8, cut: Option<u8>) {
        self.ready_to_ask(true, size);
        let mut keys = ["v0", "v1", "v2", "missing", &format!("c{counter}")]
            .map(String::from)
            .to_vec();
        let told = match sick {
            None => keys.len(),
            Some(Sick::First) => 0,
            Some(Sick::Middle) => 3,
            Some(Sick::Alone) => {
                keys.clear();
                0
            }
        };
        if sick.is_some() {
            keys.insert(told, model::SICK.into());
        }
        self.connection.ask_reads(
            keys.iter().map(|key| key.as_bytes()),
            counter.is_multiple_of(2),
        );
        if !self.carry(size, cut) {
            return;
        }
        for (index, (key, answer)) in keys.iter().zip(self.connection.answers()).enumerate() {
            let is_held = index < told && self.store.items.contains_key(key);
            let Answer::Value { data, .. } = answer else {
                assert!(!is_held, "{key}: {answer:?}");
                match sick {
                    None => assert_eq!(*answer, Answer::Missing, "{key}"),
                    // Which of the others are there was not told.
                    Some(_) => assert!(
                        matches!(answer, Answer::Error(ErrorKind::Server, line)
                            if line.ends_with("writing get response")),
                        "{key}: {answer:?}"
                    ),
                }
                continue;
            };
            assert!(is_held, "{key}: {answer:?}");
            let value = &self.connection.answer_data()[data.clone()];
            assert_eq!(value, self.store.items[key].value, "{key}");
            self.belongs(key, value);
        }
    }

    fn incr_and_get(&mut self, counter: usize, size: u8, cut: Option<u8>) {
        self.ready_to_ask(false, size);
        let key = format!("c{counter}");
        let action = Action::Incr {
            step: ASKED,
            ttl: Ttl::FOREVER,
            init: ASKED,
        };
        let command = Command {
            key: key.as_bytes(),
            action,
        };
        self.connection.ask_write(&command, NOW);
        self.called += ASKED;
        self.known.entry(key.clone()).or_default().perhaps += ASKED;
        if !self.carry(size, cut) {
            return;
        }
        let [Answer::Number(n)] = self.connection.answers() else {
            panic!("{:?}", self.connection.answers());
        };
        assert_eq!(
            *n,
            self.store.counter(&key),
            "all before it had to be carried out"
        );
        self.belongs(&key, n.to_string().as_bytes());
        let known = self.known.get_mut(&key).unwrap();
        known.perhaps -= ASKED;
        known.confirmed += ASKED;
    }

    fn belongs(&self, key: &str, value: &[u8]) {
        let text = String::from_utf8_lossy(value);
        if key.starts_with('v') {
            assert!(text.starts_with(&format!("{key}=")), "{key} got {text:?}");
        } else {
            let n: u64 = text.trim_end().parse().unwrap();
            assert_eq!(n % 1000, Self::base(key), "{key} got {text:?}");
        }
    }

    /// Everything goes through.
    fn end(&mut self) {
        let mut rounds = 0;
        while !self.connection.is_settled() {
            self.open();
            self.connection.close_run();
            self.transmit(usize::MAX);
            self.deliver(usize::MAX);
            self.receive(usize::MAX);
            self.check();
            rounds += 1;
            assert!(rounds < 100, "{:?}", self.connection.books());
        }
        let books = self.connection.books();
        assert_eq!(
            (books.pending, books.in_flight(), books.pending_bytes),
            (0, 0, 0)
        );
        // Values arrive once and in their order; touches and removals tell no number.
        let mut last = BTreeMap::new();
        for request in &self.store.log {
            let model::Action::Store { data, .. } = &request.action else {
                continue;
            };
            if !request.key.starts_with('v') {
                continue;
            }
            let text = String::from_utf8_lossy(data);
            let n: u64 = text.split_once('=').unwrap().1.trim().parse().unwrap();
            let before = last.insert(request.key.clone(), n);
            assert!(
                before.is_none_or(|before| before < n),
                "{} after {before:?}: {n}",
                request.key
            );
        }
        // A command on a key of its own was carried out once at most.
        for (key, _) in self.known.iter().filter(|(key, _)| key.starts_with("new")) {
            assert!(self.store.counter(key) <= 1000, "{key}");
        }
    }
}

/// The background commands in `bytes`, and where each begins.
fn commands(bytes: &[u8]) -> Leaving {
    let mut all = VecDeque::new();
    let mut at = 0;
    let mut half: Option<(usize, String)> = None;
    while at < bytes.len() {
        let (request, size) = model::parse(&bytes[at..]).expect("only whole commands");
        let start = at;
        at += size;
        let key = request.key;
        let is_counter = key.starts_with('c') || key.starts_with("new");
        match request.action {
            model::Action::Noop | model::Action::Version | model::Action::Get { .. } => {}
            _ if request.answer == model::Answer::MetaValue => {}
            // The first half of a classic increment.
            model::Action::Store { .. } if !key.starts_with('v') => half = Some((start, key)),
            model::Action::Arithmetic { step, up, .. } => {
                let start = match half.take() {
                    Some((start, of)) => {
                        assert_eq!(of, key);
                        start
                    }
                    None => start,
                };
                if step == ASKED {
                    continue;
                }
                let counter = (is_counter && up).then(|| (key.clone(), step));
                let fails = FAILING.contains(&&*key);
                all.push_back((start, Sent { counter, fails }));
            }
            _ => all.push_back((
                start,
                Sent {
                    counter: None,
                    fails: false,
                },
            )),
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_calls_bytes_and_closes(
        kind in prop::sample::select(&Kind::ALL[..]),
        classic in any::<bool>(),
        noreply in prop::bool::weighted(0.2),
        events in prop::collection::vec(event(), 1..120),
    ) {
        let protocol = if classic { Protocol::Classic } else { Protocol::Auto };
        // noreply is of classic; its ledger is only kept where the whole connection is.
        let noreply = noreply && !kind.speaks_meta();
        let mut world = World::new(kind, protocol, noreply);
        for event in &events {
            world.happen(event);
        }
        world.end();
    }
}
