//! Error answers of a real server: counted one by one, never fatal to the connection, and never too many.

use std::sync::Arc;
use std::time::Duration;

use wrstats::connection::asks::Answer;
use wrstats::protocol::request::Action;

use crate::support::client::{Client, Stopwatch, WAIT, ms, row, set, ttl, within};
use crate::support::memcached::Memcached;
use crate::support::proxy::cutting_relay;

const PROTOCOLS: [&str; 2] = ["meta", "classic"];

#[test]
fn a_value_too_large_is_an_error_and_no_more() {
    let server = Memcached::tcp(&[]);
    for protocol in PROTOCOLS {
        let mut client = Client::with(
            server.address(),
            &[("protocol", protocol), ("timeout", "2")],
        );
        let large = vec![b'x'; 2 << 20];
        client.write(b"k", set(b"small")).unwrap();
        within(ms(500), || {
            assert!(client.write(b"k", set(&large)).is_err())
        });
        let message = client.failure_text();
        assert!(
            message.starts_with("object too large for cache"),
            "{message}"
        );
        // As protocol.txt has it, the old value is gone then.
        assert_eq!(client.read("k"), Ok(None));
        client.count("before");
        assert_eq!(client.queue(b"k", set(&large)), Ok(true));
        client.count("after");
        assert!(!client.sync(WAIT));
        let books = client.books();
        assert_eq!((books.confirmed, books.failed, books.lost), (2, 1, 0));
        assert_eq!(books.connects, 1);
        assert!(client.sync(WAIT), "that was the last time");
    }
}

#[test]
fn a_full_server() {
    let server = Memcached::tcp(&["-M", "-m", "4"]);
    let large = vec![b'x'; 500_000];
    let mut filler = Client::of(server.address());
    for n in 0..1000 {
        if filler
            .write(format!("v{n}").as_bytes(), set(&large))
            .is_err()
        {
            break;
        }
    }
    assert!(
        filler.failure_text().starts_with("out of memory"),
        "{}",
        filler.failure_text()
    );
    for protocol in PROTOCOLS {
        let mut client = Client::with(
            server.address(),
            &[("protocol", protocol), ("timeout", "2")],
        );
        assert_eq!(client.read("nothing"), Ok(None));
        let mut longest = Duration::ZERO;
        let before = server.stat("curr_items");
        for n in 0..200_000 {
            let watch = Stopwatch::start();
            client.count(&format!("{protocol}-counter-of-some-length-{n}"));
            longest = longest.max(watch.elapsed());
        }
        assert!(longest < ms(500), "{longest:?}");
        client.sync(WAIT);
        let books = client.books();
        let missing = 200_000 - books.failed - (server.stat("curr_items") - before);
        row(
            &format!("out of memory (-M), {protocol}"),
            &books,
            Some(missing),
            longest,
        );
        assert!(books.failed > 0 && books.confirmed > 0, "{books:?}");
        assert_eq!(
            (books.confirmed + books.failed, books.lost, books.connects),
            (200_000, 0, 1)
        );
        // What was confirmed is there.
        let held = (0..200_000)
            .step_by(997)
            .map(|n| format!("{protocol}-counter-of-some-length-{n}"));
        let keys = client.keys(held);
        let found = client
            .get_many(&keys, false)
            .iter()
            .filter(|answer| matches!(answer, Answer::Value { .. }))
            .count();
        let share = found as f64 / keys.len() as f64;
        let confirmed = books.confirmed as f64 / 200_000.0;
        assert!(
            (share - confirmed).abs() < 0.1,
            "{share} there, {confirmed} confirmed"
        );
    }
}

/// The read closes the run of background commands before it, so an error line may be either's: see
/// `connection::inflight`. In pieces, the error is often there before the answer to the read.
#[test]
fn an_error_in_the_background_is_never_the_answer_to_the_read_behind_it() {
    let server = Memcached::tcp(&[]);
    let relay = cutting_relay(server.address(), 60, Arc::new(|| Some(Duration::ZERO)));
    let mut good = Client::of(server.address());
    good.write(b"abc", set(b"abc")).unwrap();
    for key in ["a", "b"] {
        let value = format!("value of {key}");
        good.write(key.as_bytes(), set(value.as_bytes())).unwrap();
    }
    let large = vec![b'x'; 2 << 20];
    let mut confirmed = 0;
    for (at, name) in [(server.address(), "direct"), (relay.address(), "cut")] {
        let mut client = Client::with(at, &[("timeout", "5"), ("protocol", "meta")]);
        assert_eq!(client.read("none"), Ok(None));
        let mut failed = 0;
        for run in 1..=500 {
            let counted = [fastrand::u64(0..3), fastrand::u64(0..3)];
            for n in 0..counted[0] {
                client.count(&format!("{name}:{run}:{n}"));
            }
            assert_eq!(client.incr(b"abc", 1, ttl(60), 1), Ok(true));
            // Now and then a value too large instead, which memcached answers before it has swallowed it.
            let is_large = name == "direct" && run % 20 == 0;
            if is_large {
                assert_eq!(client.queue(b"large", set(&large)), Ok(true));
                failed += 1;
            }
            failed += 1;
            for n in 0..counted[1] {
                client.count(&format!("{name}:{run}:behind:{n}"));
            }
            let (key, value) = fastrand::choice([
                ("none", None),
                ("a", Some("value of a")),
                ("b", Some("value of b")),
                ("abc", Some("abc")),
            ])
            .unwrap();
            assert_eq!(
                client.read(key),
                Ok(value.map(String::from)),
                "{name} {run}"
            );
            assert_eq!(client.books().failed, failed, "{name} {run}");
            if fastrand::bool() {
                assert!(!client.sync(WAIT), "{name}: it failed");
            }
        }
        let books = client.settled();
        assert_eq!((books.failed, books.lost, books.connects), (failed, 0, 1));
        assert_eq!(books.confirmed + books.failed, books.queued);
        confirmed += books.confirmed;
        assert_eq!(server.stat("curr_items"), 3 + confirmed, "{name}");
    }
}

#[test]
fn a_million_error_replies() {
    let server = Memcached::tcp(&[]);
    for protocol in PROTOCOLS {
        let settings = [
            ("protocol", protocol),
            ("timeout", "5"),
            ("buffer_bytes", "100000000"),
        ];
        let mut client = Client::with(server.address(), &settings);
        client.write(b"abc", set(b"abc")).unwrap();
        // Different lifetimes don't merge.
        let mut longest = Duration::ZERO;
        let many = if protocol == "meta" {
            1_000_000
        } else {
            300_000
        };
        for _ in 0..many / 1000 {
            let watch = Stopwatch::start();
            for n in 0..1000 {
                assert_eq!(client.incr(b"abc", 1, ttl(60 + n), 1), Ok(true));
            }
            longest = longest.max(watch.elapsed());
        }
        assert!(longest < ms(500), "{longest:?}");
        within(Duration::from_secs(10), || assert!(!client.sync(WAIT)));
        let books = client.books();
        assert_eq!(
            (books.failed, books.lost, books.connects),
            (many as u64, 0, 1),
            "{books:?}"
        );
        assert_eq!(client.read("abc"), Ok(Some("abc".into())));
        row(
            &format!("a million error answers, {protocol}"),
            &books,
            Some(0),
            longest,
        );
        client.count("good");
        assert!(client.sync(WAIT));
    }
}

#[test]
fn a_million_new_counters_of_a_server_that_answers_each() {
    // 1.6.18 answers HD to every creation: a socket full of replies stops it from reading.
    for server in [
        Memcached::tcp(&["-m", "256"]),
        Memcached::unix(&["-m", "256"]),
    ] {
        let mut client = Client::with(server.address(), &[("buffer_bytes", "100000000")]);
        client.warm_up("k");
        let mut longest = Duration::ZERO;
        for thousand in 0..1000 {
            let watch = Stopwatch::start();
            for n in 0..1000 {
                assert!(client.count(&format!("n{thousand}:{n}")));
            }
            longest = longest.max(watch.elapsed());
        }
        assert!(longest < ms(500), "{longest:?}");
        within(Duration::from_secs(10), || {
            assert!(client.sync(WAIT), "{}", client.failure_text())
        });
        let books = client.books();
        assert_eq!(
            (books.confirmed, books.lost, books.failed),
            (books.queued, 0, 0)
        );
        let held = [
            "curr_items",
            "total_items",
            "evictions",
            "expired_unfetched",
        ]
        .map(|name| server.stat(name));
        assert_eq!(held, [1_000_001, 1_000_001, 0, 0], "{books:?}");
    }
}

#[test]
fn errors_of_waiting_calls_leave_the_connection_as_it_is() {
    let server = Memcached::tcp(&[]);
    for protocol in PROTOCOLS {
        let mut client = Client::with(server.address(), &[("protocol", protocol)]);
        client.write(b"abc", set(b"abc")).unwrap();
        for _ in 0..10 {
            let incr = Action::Incr {
                step: 1,
                ttl: ttl(0),
                init: 1,
            };
            for action in [incr, Action::Decr { step: 1 }] {
                client.write(b"abc", action).unwrap_err();
                let message = client.failure_text();
                assert_eq!(
                    message,
                    "cannot increment or decrement non-numeric value (key \"abc\")"
                );
            }
            assert_eq!(client.read("abc"), Ok(Some("abc".into())));
        }
        assert_eq!(client.books().connects, 1);
    }
}
