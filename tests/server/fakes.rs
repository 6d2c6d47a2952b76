//! Servers of other ages and proxies, modelled: which dialect is spoken with them, and that counting works.

use wrstats::client::failure::Code;
use wrstats::connection::Dialect;
use wrstats::connection::asks::Answer;
use wrstats::protocol::request::{Action, StoreMode};

use crate::support::client::{Client, WAIT, ms, set, ttl, within};
use crate::support::fake::{Fake, greet, read_until, until_closed};
use crate::support::model::Kind;

/// Names `kind` in messages, and what is spoken with it in the end.
fn expected(kind: Kind) -> Dialect {
    if kind.speaks_meta() {
        Dialect::Meta
    } else {
        Dialect::Classic
    }
}

#[test]
fn everything_works_with_every_kind() {
    for kind in Kind::ALL {
        for first in ["count", "read", "write"] {
            let fake = Fake::modelled(kind);
            let mut client = Client::with(fake.address(), &[("timeout", "2")]);
            let incr = Action::Incr {
                step: 5,
                ttl: ttl(60),
                init: 5,
            };
            match first {
                "count" => assert!(client.count("k")),
                "read" => assert_eq!(client.read("k"), Ok(None), "{kind:?}"),
                _ => assert_eq!(client.write(b"n", incr), Ok(Answer::Number(5)), "{kind:?}"),
            }
            let warm = client.warm_up("k") + u64::from(first == "count");
            for n in 0..2000 {
                client.count("k");
                client.count(&format!("k{}", n % 700));
                client.count("missing");
                client.queue(b"missing", Action::Delete).unwrap();
                if n % 300 == 0 {
                    client.queue(b"v", set(format!("{n}").as_bytes())).unwrap();
                    client.queue(b"v", Action::Touch { ttl: ttl(90) }).unwrap();
                    client
                        .queue(b"none", Action::Touch { ttl: ttl(90) })
                        .unwrap();
                    client.queue(b"none", Action::Decr { step: 1 }).unwrap();
                    client.flush();
                }
            }
            assert!(client.sync(WAIT), "{kind:?}: {}", client.failure_text());
            let books = client.books();
            assert_eq!(
                (books.failed, books.lost, books.dropped, books.unverified),
                (0, 0, 0, 0),
                "{kind:?}"
            );
            assert_eq!(books.confirmed, books.queued, "{kind:?}");
            assert_eq!(
                client.pool().borrow().links()[0].dialect(),
                Some(expected(kind)),
                "{kind:?}"
            );
            assert_eq!(
                client.read("k"),
                Ok(Some(format!("{}", 2000 + warm))),
                "{kind:?}"
            );
            assert_eq!(client.read("v"), Ok(Some("1800".into())), "{kind:?}");
            assert_eq!(client.read("missing"), Ok(None));
            {
                let store = fake.store();
                assert_eq!(store.counter("k699"), 2, "{kind:?}");
                assert_eq!(store.counter("k0"), 3, "{kind:?}");
            }
            let n = if first == "write" { 10 } else { 5 };
            assert_eq!(client.write(b"n", incr), Ok(Answer::Number(n)), "{kind:?}");
            let add = Action::Store {
                mode: StoreMode::Add,
                flags: 0,
                ttl: ttl(0),
                value: b"1",
            };
            assert_eq!(client.write(b"v", add), Ok(Answer::NotStored), "{kind:?}");
            // A proxy that closes on `mn` has closed one connection.
            let most = if matches!(kind, Kind::Twemproxy | Kind::Mcrouter) {
                2
            } else {
                1
            };
            assert!(client.books().connects <= most, "{kind:?}");
        }
    }
}

#[test]
fn without_replies_everything_is_unverified() {
    for kind in [Kind::V1_5, Kind::Twemproxy] {
        let fake = Fake::modelled(kind);
        let mut client = Client::with(fake.address(), &[("noreply", "1"), ("timeout", "2")]);
        for n in 0..1000 {
            client.count(&format!("k{n}"));
        }
        assert!(client.sync(WAIT));
        // A read comes behind all of it.
        assert_eq!(client.read("k999"), Ok(Some("1".into())));
        let books = client.books();
        assert_eq!(
            (books.unverified, books.confirmed, books.in_flight()),
            (1000, 0, 0),
            "{kind:?} {books:?}"
        );
        assert_eq!(fake.store().items.len(), 1000);
    }
}

#[test]
fn meta_demanded_of_who_does_not_speak_it() {
    for kind in [Kind::V1_5, Kind::V1_6_9, Kind::Twemproxy, Kind::Mcrouter] {
        let fake = Fake::modelled(kind);
        let mut client = Client::with(fake.address(), &[("protocol", "meta")]);
        client.count("k");
        within(ms(300), || client.read("k")).unwrap_err();
        assert_eq!(client.failure().unwrap().code, Code::Unexpected);
        let message = client.failure_text();
        assert!(
            message.starts_with("protocol \"meta\" was asked for"),
            "{kind:?}: {message}"
        );
        let books = client.books();
        assert_eq!((books.pending, books.lost), (1, 0), "{kind:?}");
        assert!(fake.store().log.is_empty());
    }
}

#[test]
fn errors_of_a_proxy_with_a_dead_backend_concern_their_keys_only() {
    // memcached's own proxy: one SERVER_ERROR for each command of a backend that is down.
    let fake = Fake::scripted(|_, mut stream| {
        use std::io::Write;
        if greet(&mut stream).is_none() {
            return;
        }
        let failure = "SERVER_ERROR backend failure\r\n";
        read_until(&mut stream, "mn\r\n");
        let _ = stream.write_all(format!("{failure}{failure}MN\r\n").as_bytes());
        read_until(&mut stream, "get a\r\n");
        let _ = stream.write_all(failure.as_bytes());
        read_until(&mut stream, "get b\r\n");
        let _ = stream.write_all(b"VALUE b 0 1\r\nB\r\nEND\r\n");
        until_closed(&mut stream);
    });
    let mut client = Client::with(fake.address(), &[("protocol", "meta")]);
    for key in ["a", "b", "c", "d", "e"] {
        client.count(key);
    }
    assert!(!client.sync(WAIT));
    let books = client.books();
    assert_eq!((books.confirmed, books.failed, books.lost), (3, 2, 0));
    let failure = client.read("a").unwrap_err();
    assert!(failure.starts_with("backend failure"), "{failure}");
    assert_eq!(client.read("b"), Ok(Some("B".into())));
    assert_eq!(client.books().connects, 1, "an error answer is an answer");
}

#[test]
fn another_kind_of_server_at_the_same_address() {
    // Restarted as something older, or put behind a proxy: found out again on each connection.
    for (before, after) in [
        (Kind::V1_6_18, Kind::V1_5),
        (Kind::V1_6_18, Kind::Twemproxy),
        (Kind::Twemproxy, Kind::V1_6_40),
        (Kind::V1_5, Kind::V1_6_18),
    ] {
        let fake = Fake::changing(before, after);
        let mut client = Client::with(fake.address(), &[("timeout", "2")]);
        client.warm_up("k");
        fake.change();
        std::thread::sleep(ms(20));
        // What goes out at once, in the dialect of before, may be lost; it is never half believed.
        for n in 0..10 {
            client.count(&format!("n{n}"));
            // An old server that got it as a meta command would carry it out.
            client.queue(b"v", set(b"flush_all")).unwrap();
        }
        client.sync(Some(ms(500)));
        std::thread::sleep(ms(300));
        client.warm_up("k");
        assert_eq!(
            client.pool().borrow().links()[0].dialect(),
            Some(expected(after)),
            "{before:?} {after:?}"
        );
        let books = client.books();
        let held = fake
            .store()
            .items
            .keys()
            .filter(|key| key.starts_with('n'))
            .count() as u64;
        assert!(
            held + books.lost + books.failed >= 10,
            "{held} of {books:?}"
        );
        assert!(books.lost + books.failed <= 20, "{books:?}");
        assert!(fake.store().items.contains_key("k"));
    }
}
