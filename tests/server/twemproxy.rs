//! Through twemproxy (nutcracker) to three servers.

use std::time::Duration;

use wrstats::connection::Dialect;
use wrstats::connection::asks::Answer;
use wrstats::protocol::request::Action;

use crate::support::client::{Client, WAIT, ms, set, ttl, within};
use crate::support::memcached::Memcached;
use crate::support::twemproxy::Twemproxy;

fn servers() -> [Memcached; 3] {
    [
        Memcached::tcp(&[]),
        Memcached::tcp(&[]),
        Memcached::tcp(&[]),
    ]
}

fn over(servers: &[Memcached]) -> Twemproxy {
    let list: Vec<&str> = servers.iter().map(Memcached::address).collect();
    Twemproxy::over(&list)
}

/// What the servers hold of a counter, together.
fn held(servers: &[Memcached], key: &str) -> u64 {
    servers
        .iter()
        .filter_map(|server| server.counter(key))
        .sum()
}

#[test]
fn everything_goes_through() {
    let servers = servers();
    let proxy = over(&servers);
    let mut client = Client::with(proxy.address(), &[("timeout", "2")]);
    client.warm_up("warm");
    for n in 0..6000 {
        client.count(&format!("k{}", n % 1500));
        if n % 500 == 0 {
            client.flush();
        }
    }
    client.queue(b"v", set(b"value")).unwrap();
    client.queue(b"v", Action::Touch { ttl: ttl(50) }).unwrap();
    client.queue(b"gone", set(b"value")).unwrap();
    client.queue(b"gone", Action::Delete).unwrap();
    client.queue(b"k7", Action::Decr { step: 1 }).unwrap();
    client.queue(b"none", Action::Delete).unwrap();
    let synced = client.sync(WAIT);
    assert!(synced, "{} {:?}", client.failure_text(), client.books());
    let books = client.books();
    assert_eq!(
        (books.confirmed, books.failed, books.lost, books.unverified),
        (books.queued, 0, 0, 0)
    );
    assert_eq!(
        client.pool().borrow().links()[0].dialect(),
        Some(Dialect::Classic)
    );
    assert_eq!((held(&servers, "k0"), held(&servers, "k7")), (4, 3));
    let spread: Vec<u64> = servers
        .iter()
        .map(|server| server.stat("curr_items"))
        .collect();
    // Its hash spreads keys that are much alike unevenly.
    assert!(spread.iter().all(|&items| items > 20), "{spread:?}");
    assert_eq!(client.read("v"), Ok(Some("value".into())));
    assert_eq!(client.read("gone"), Ok(None));
    let left = servers.iter().find_map(|server| server.ttl("v")).unwrap();
    assert!((45..=50).contains(&left), "{left}");
    // A split read comes back in any order.
    let keys = client.keys((0..1500).map(|n| format!("k{n}")));
    let answers = client.get_many(&keys, true);
    assert_eq!(answers.failure, None);
    for (n, answer) in answers.iter().enumerate() {
        let Answer::Value { data, cas, .. } = answer else {
            panic!("{n}: {answer:?}");
        };
        let expected: &[u8] = if n == 7 { b"3" } else { b"4" };
        assert_eq!((answers.bytes(data), *cas > 0), (expected, true), "{n}");
    }
    let incr = Action::Incr {
        step: 5,
        ttl: ttl(0),
        init: 5,
    };
    assert_eq!(client.write(b"n", incr), Ok(Answer::Number(5)));
    assert_eq!(client.write(b"n", incr), Ok(Answer::Number(10)));
    // One connection was closed on the question for meta, with nothing else in it.
    let books = client.books();
    assert!(books.connects <= 2 && books.lost == 0, "{books:?}");
}

#[test]
fn a_backend_that_dies_takes_nothing_else_with_it() {
    let mut servers = servers();
    let proxy = over(&servers);
    let mut client = Client::with(proxy.address(), &[("timeout", "2")]);
    client.warm_up("warm");
    let keys: Vec<String> = (0..600).map(|n| format!("k{n}")).collect();
    for key in &keys {
        client.count(key);
        client
            .queue(
                format!("v-{key}").as_bytes(),
                set(format!("of {key}").as_bytes()),
            )
            .unwrap();
    }
    assert!(client.sync(WAIT));
    let dead: Vec<&String> = keys
        .iter()
        .filter(|key| servers[1].counter(key).is_some())
        .collect();
    let value_of_dead = |key: &str, server: &Memcached| server.value(&format!("v-{key}")).is_some();
    let values_lost: Vec<&String> = keys
        .iter()
        .filter(|key| value_of_dead(key, &servers[1]))
        .collect();
    let shares = (dead.len(), values_lost.len());
    assert!(shares.0 > 50 && shares.1 > 50, "{shares:?}");
    servers[1].kill();

    for round in 0..5 {
        for key in &keys {
            client.count(key);
        }
        within(Duration::from_secs(4), || {
            client.sync(Some(Duration::from_secs(3)))
        });
        let books = client.books();
        assert_eq!(books.in_flight(), 0, "round {round}: {books:?}");
    }
    let books = client.books();
    // Every command was answered with the truth: the dead server's are failures, and no others.
    assert_eq!(books.lost, 0, "{books:?}");
    assert_eq!(books.failed, 5 * dead.len() as u64, "{books:?}");
    for key in keys.iter().filter(|key| !dead.contains(key)) {
        let value: u64 = held(&[], key)
            + [0, 2]
                .iter()
                .filter_map(|&i| servers[i].counter(key))
                .sum::<u64>();
        assert_eq!(value, 6, "{key}");
    }
    // No reply is shifted: each key its own value, or a failure.
    for key in &keys {
        match client.read(&format!("v-{key}")) {
            Ok(value) => assert_eq!(value, Some(format!("of {key}"))),
            Err(failure) => {
                assert!(values_lost.contains(&key), "{key}: {failure}");
            }
        }
    }
    assert!(servers[1].start());
    std::thread::sleep(ms(1500));
    let before = client.books();
    for _ in 0..2 {
        for key in &keys {
            client.count(key);
        }
        client.settled();
    }
    let books = client.books();
    assert_eq!(
        books.failed + books.lost,
        before.failed + before.lost,
        "{books:?}"
    );
    for key in dead {
        assert_eq!(servers[1].counter(key), Some(2), "{key}");
    }
}

#[test]
fn a_backend_killed_and_restarted_under_load() {
    let mut servers = servers();
    let proxy = over(&servers);
    let mut client = Client::with(proxy.address(), &[("timeout", "2")]);
    client.warm_up("warm");
    for round in 0..30 {
        match round {
            8 | 20 => servers[2].kill(),
            13 | 25 => assert!(servers[2].start()),
            _ => {}
        }
        for n in 0..1000 {
            client.count(&format!("r{round}:{n}"));
        }
        client
            .queue(b"v", set(format!("{round}").as_bytes()))
            .unwrap();
        client
            .queue(
                format!("r{round}:0").as_bytes(),
                Action::Touch { ttl: ttl(90) },
            )
            .unwrap();
        client
            .queue(format!("r{round}:1").as_bytes(), Action::Delete)
            .unwrap();
        within(ms(300), || client.end_request());
        std::thread::sleep(ms(20));
    }
    within(Duration::from_secs(4), || {
        client.sync(Some(Duration::from_secs(3)))
    });
    let books = client.books();
    assert_eq!((books.in_flight(), books.pending), (0, 0), "{books:?}");
    assert!(books.failed + books.lost > 0, "{books:?}");
    // The two that lived hold what was confirmed, each counter once.
    let mut there = 0;
    for round in 0..30 {
        for n in (2..1000).step_by(37) {
            let value = held(&servers[..2], &format!("r{round}:{n}"));
            assert!(value <= 1, "r{round}:{n} is {value}");
            there += value;
        }
    }
    assert!(there > 300, "{there}");
}
