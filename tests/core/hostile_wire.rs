//! No bytes that come from outside, wherever they are put, become a second command: what would leave is captured and read
//! strictly, and there must be exactly the commands that were asked for.

use std::rc::Rc;

use proptest::prelude::*;

use wrstats::client::config::{Config, LongKeys};
use wrstats::client::input::{Input, InputKey};
use wrstats::connection::{Connection, Opening, Protocol};
use wrstats::protocol::key::{KeyList, MAX_LEN, Parts};
use wrstats::protocol::request::{Action, Command, StoreMode};
use wrstats::protocol::ttl::Ttl;
use wrstats::stats::catalog::{Catalog, Host, Naming};
use wrstats::stats::entity::Component;
use wrstats::stats::key::KeyStyle;
use wrstats::stats::number::{Number, Rounding};
use wrstats::stats::spec::Specs;
use wrstats::stats::writer::Writer;

use crate::hostile_corpus::bodies::keys::Seen;
use crate::model::{self, Request};

const UNIX_NOW: u32 = 1_790_000_000;

/// What a connection speaks.
#[derive(Clone, Copy, Debug)]
enum Spoken {
    Meta,
    Classic,
    NoReply,
}

const ALL: [Spoken; 3] = [Spoken::Meta, Spoken::Classic, Spoken::NoReply];

/// A connection that has found out what is spoken.
fn connected(spoken: Spoken) -> Connection {
    let (protocol, greeting) = match spoken {
        Spoken::Meta => (Protocol::Auto, &b"MN\r\nVERSION 1.6.18\r\n"[..]),
        _ => (Protocol::Classic, &b"VERSION 1.6.18\r\n"[..]),
    };
    let mut connection = Connection::new(protocol, matches!(spoken, Spoken::NoReply), 4 << 20);
    connection.opened(Opening::Ask);
    captured(&mut connection);
    connection.receive(greeting).expect("a good greeting");
    assert!(connection.dialect().is_some());
    connection
}

/// All commands that leave now. Panics where the bytes are anything else.
fn captured(connection: &mut Connection) -> Vec<Request> {
    let mut bytes = Vec::new();
    loop {
        let some = connection.transmit(UNIX_NOW).to_vec();
        if some.is_empty() {
            break;
        }
        connection.transmitted(some.len());
        bytes.extend(some);
    }
    let mut requests = Vec::new();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let (request, size) = model::parse(rest).expect("whole commands");
        requests.push(request);
        rest = &rest[size..];
    }
    requests
}

/// Every command there is on a key with a value; how many lines each is in the classic dialect.
fn actions(value: &[u8]) -> Vec<(Action<'_>, usize)> {
    let ttl = Ttl::new(3_000_000, || UNIX_NOW).expect("a duration");
    let store = |mode| {
        (
            Action::Store {
                mode,
                flags: 7,
                ttl,
                value,
            },
            1,
        )
    };
    vec![
        (
            Action::Incr {
                step: 3,
                ttl,
                init: 3,
            },
            2,
        ),
        (
            Action::Incr {
                step: 3,
                ttl: Ttl::FOREVER,
                init: u64::MAX,
            },
            2,
        ),
        (Action::Decr { step: u64::MAX }, 1),
        store(StoreMode::Set),
        store(StoreMode::Add),
        store(StoreMode::Replace),
        (Action::Delete, 1),
        (Action::Touch { ttl }, 1),
    ]
}

/// Sends every command on the key, in the background and as a waiting call, and reads it; how many kinds of calls took
/// the key.
fn check(spoken: Spoken, head: &[u8], key: &[u8], value: &[u8]) -> bool {
    let parts = Parts {
        head: head.into(),
        key,
    };
    let wire = [head, key].concat();
    let is_key = String::from_utf8_lossy(&wire).into_owned();
    let only_that_key = |requests: &[Request]| {
        for request in requests {
            match &request.action {
                model::Action::Noop => {}
                model::Action::Get { keys, .. } => {
                    assert_eq!(keys.as_slice(), std::slice::from_ref(&is_key))
                }
                _ => assert_eq!(request.key, is_key),
            }
            if let model::Action::Store { data, .. } = &request.action {
                let number = data.iter().all(u8::is_ascii_digit);
                assert!(data == value || number, "the value as it was given");
            }
        }
    };
    let mut taken = Vec::new();
    for (action, lines) in actions(value) {
        let mut connection = connected(spoken);
        let queued = connection.queue(parts, &action).is_ok();
        taken.push(queued);
        let requests = captured(&mut connection);
        let lines = if matches!(spoken, Spoken::Meta) {
            1
        } else {
            lines
        };
        assert_eq!(
            requests.len(),
            if queued { lines } else { 0 },
            "{spoken:?} {action:?}: {requests:?}"
        );
        only_that_key(&requests);

        // As a waiting call: its caller checks the key, once, as it does for reads.
        let mut keys = KeyList::new();
        taken.push(keys.push(parts).is_ok());
        if keys.is_empty() {
            continue;
        }
        for reads in [false, true] {
            let mut connection = connected(spoken);
            connection.begin_wait();
            if reads {
                connection.ask_reads(keys.iter(), true);
            } else {
                let action = match action {
                    Action::Store {
                        mode: StoreMode::Replace,
                        flags,
                        ttl,
                        value,
                    } => Action::Store {
                        mode: StoreMode::Cas(u64::MAX),
                        flags,
                        ttl,
                        value,
                    },
                    other => other,
                };
                connection.ask_write(
                    &Command {
                        key: keys.get(0),
                        action,
                    },
                    UNIX_NOW,
                );
            }
            let requests = captured(&mut connection);
            assert!(
                (1..=2).contains(&requests.len()),
                "{spoken:?} {action:?}: {requests:?}"
            );
            only_that_key(&requests);
        }
    }
    assert!(
        taken.iter().all(|&one| one == taken[0]),
        "one rule for all: {taken:?}"
    );
    taken[0]
}

fn bytes(text: &[u8]) -> Input {
    Input::Bytes(text.into())
}

/// What one hostile text does in every place where texts go, on a wire that speaks this.
fn everywhere(spoken: Spoken, text: &[u8]) {
    check(spoken, b"", text, b"v");
    check(spoken, b"/a/b/pre:", text, b"v");
    assert!(check(spoken, b"", b"key", text), "a value may be anything");

    let mut base = Config::default();
    let encoded: String = text.iter().map(|byte| format!("%{byte:02X}")).collect();
    for name in ["prefix", "route", "keyspace"] {
        let dsn = format!("memcached://127.0.0.1?{name}={encoded}");
        let mut by_set = Config::default();
        let good = by_set.set(name.as_bytes(), &bytes(text)).is_ok();
        let by_dsn = Config::from_dsn(&base, dsn.as_bytes());
        assert_eq!(good, by_dsn.is_ok(), "{name} as a setting and in a DSN");
        if good {
            let config = by_dsn.expect("a good DSN");
            assert_eq!(
                (&config.prefix, &config.route, &config.keyspace),
                (&by_set.prefix, &by_set.route, &by_set.keyspace)
            );
            let head = [&config.route[..], &config.prefix].concat();
            check(spoken, &head, b"key", b"v");
            stats(spoken, &head, &config.keyspace, b"p", b"hits", b"x");
        }
    }
    base.set(b"route", &bytes(b"/r/r/")).expect("a route");
    for (prefix, metric, entity) in [
        (text, &b"hits"[..], &b"x"[..]),
        (b"p", text, b"x"),
        (b"p", b"hits", text),
        (text, text, text),
    ] {
        stats(spoken, &base.route, b"wiki", prefix, metric, entity);
    }
}

/// Keys made of components are keys, and taken.
fn stats(
    spoken: Spoken,
    head: &[u8],
    keyspace: &[u8],
    prefix: &[u8],
    metric: &[u8],
    entity: &[u8],
) {
    for long_keys in [LongKeys::MediaWiki139, LongKeys::MediaWiki145] {
        let style = KeyStyle {
            keyspace: keyspace.into(),
            long_keys,
            room: MAX_LEN - head.len(),
        };
        let specs = Input::Array(vec![(
            InputKey::Bytes(metric.into()),
            Input::Array(Vec::new()),
        )]);
        let specs = Specs::parse(&specs).expect("good specs");
        let host = Host {
            clock: || Number::Int(i64::from(UNIX_NOW)),
            rounding: Rounding::plain(),
        };
        let catalog =
            Catalog::new(specs, &[prefix, prefix], Naming::Native(style), host).expect("a prefix");
        let mut writer = Writer::new(Rc::new(catalog), None).expect("a clock");
        let mut store = Seen::default();
        for global in [false, true] {
            let id = writer.entity(global, &[Component::Bytes(entity), Component::Int(-5)], 0);
            // Refused only where the head leaves no room for a shortened key.
            let counted = writer.incr(metric.into(), id, Number::Int(1)).is_ok();
            assert!(counted || head.len() > 20, "no component is refused");
        }
        writer.flush(&mut store).expect("a store that takes all");
        for key in &store.0 {
            assert!(
                check(spoken, head, key, b"v"),
                "{} is a key",
                key.escape_ascii()
            );
        }
    }
}

#[test]
fn every_byte_in_every_place() {
    for byte in 0..=u8::MAX {
        let text = [b'/', b'a', byte, b'b', b'/'];
        everywhere(ALL[usize::from(byte) % 3], &text);
        everywhere(Spoken::Meta, &[byte]);
        check(Spoken::Classic, b"", &text, &[byte, b'\r', b'\n', byte]);
    }
}

#[test]
fn commands_in_every_place() {
    for text in [
        &b"x\r\nflush_all\r\n"[..],
        b"x\nflush_all\n",
        b"x\rflush_all\r",
        b"x 0 0 1\r\ny\r\nflush_all",
        b"x noreply",
        b"x\0flush_all",
        b"\r\nmn\r\n",
        b"/x/\r\nflush_all\r\n/",
        b"x\xe2\x80\xa8flush_all",
        b"x\xc2\x85flush_all\xe5\x98\x8a",
        b"x q k O1 b",
    ] {
        for spoken in ALL {
            everywhere(spoken, text);
        }
    }
}

/// Bytes of which many are those that matter.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => any::<u8>(),
        2 => prop::sample::select(&b"\r\n \t\0\x7f/:%#"[..]),
        4 => prop::sample::select(&b"flush_all ma get 0"[..]),
    ];
    prop::collection::vec(byte, 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn anything_anywhere(text in hostile(), which in 0..3usize) {
        everywhere(ALL[which], &text);
    }
}
