//! Counters on a real memcached, both dialects, TCP and unix socket.

use wrstats::client::handle::Handle;
use wrstats::client::pools::Pools;
use wrstats::connection::asks::Answer;
use wrstats::protocol::request::{Action, StoreMode};

use crate::support::client::{Client, WAIT, config, ms, ttl};
use crate::support::memcached::Memcached;

fn for_each_dialect(test: impl Fn(&Memcached, &str)) {
    for protocol in ["auto", "meta", "classic"] {
        test(&Memcached::tcp(&[]), protocol);
        test(&Memcached::unix(&[]), protocol);
    }
}

#[test]
fn increments_arrive_once_and_are_confirmed() {
    for_each_dialect(|server, protocol| {
        let mut pools = Pools::default();
        let config = config(&[("servers", server.address()), ("protocol", protocol)]);
        let mut handle = Handle::open(&config, &mut pools);
        for round in 0..10 {
            for n in 0..1000 {
                let key = format!("counter{n}");
                assert_eq!(handle.incr(key.as_bytes(), 2, ttl(60), 2), Ok(true));
            }
            assert!(handle.sync(WAIT), "round {round}: {:?}", handle.failure());
        }
        let books = handle.metrics();
        assert!(books.balanced());
        assert_eq!(
            (books.calls(), books.queued, books.confirmed),
            (10_000, 10_000, 10_000)
        );
        for n in [0, 1, 500, 999] {
            assert_eq!(server.counter(&format!("counter{n}")), Some(20));
        }
        let left = server.ttl("counter7").unwrap();
        assert!((55..=60).contains(&left), "{left}");
        assert_eq!(books.connects, 1);
    });
}

#[test]
fn waiting_calls_answer() {
    for_each_dialect(|server, protocol| {
        let mut pools = Pools::default();
        let config = config(&[("servers", server.address()), ("protocol", protocol)]);
        let mut handle = Handle::open(&config, &mut pools);
        let incr = Action::Incr {
            step: 5,
            ttl: ttl(60),
            init: 7,
        };
        assert_eq!(handle.get(b"k", false), Ok(None));
        assert_eq!(handle.write(b"k", incr), Ok(Answer::Number(7)));
        assert_eq!(handle.write(b"k", incr), Ok(Answer::Number(12)));
        assert_eq!(
            handle.write(b"k", Action::Decr { step: 20 }),
            Ok(Answer::Number(0))
        );
        assert_eq!(
            handle.write(b"none", Action::Decr { step: 20 }),
            Ok(Answer::Missing)
        );
        let set = |mode, value| Action::Store {
            mode,
            flags: 3,
            ttl: ttl(60),
            value,
        };
        assert_eq!(
            handle.write(b"v", set(StoreMode::Replace, b"1")),
            Ok(Answer::NotStored)
        );
        assert_eq!(
            handle.write(b"v", set(StoreMode::Add, b"1\r\n2")),
            Ok(Answer::Done)
        );
        assert_eq!(
            handle.write(b"v", set(StoreMode::Add, b"2")),
            Ok(Answer::NotStored)
        );
        let item = handle.get(b"v", true).unwrap().unwrap();
        assert_eq!((&item.value[..], item.flags), (&b"1\r\n2"[..], 3));
        assert_eq!(
            handle.write(b"v", set(StoreMode::Cas(item.cas + 1), b"3")),
            Ok(Answer::Exists)
        );
        assert_eq!(
            handle.write(b"v", set(StoreMode::Cas(item.cas), b"3")),
            Ok(Answer::Done)
        );
        assert_eq!(
            handle.write(b"v", Action::Touch { ttl: ttl(9) }),
            Ok(Answer::Done)
        );
        assert_eq!(handle.write(b"v", Action::Delete), Ok(Answer::Done));
        assert_eq!(handle.write(b"v", Action::Delete), Ok(Answer::Missing));
        // A waiting call sees what was queued before.
        handle.incr(b"k", 3, ttl(0), 3).unwrap();
        // "12" was written over in place.
        assert_eq!(handle.get(b"k", false).unwrap().unwrap().value, b"3 ");
        assert!(handle.metrics().balanced());
    });
}

#[test]
fn a_read_that_asks_for_meta_on_the_way_has_its_own_time() {
    let server = Memcached::tcp(&[]);
    let mut client = Client::of(server.address());
    client.count("k");
    assert!(client.sync(WAIT));
    // Longer than the time that was left for the first greeting.
    std::thread::sleep(ms(400));
    assert_eq!(client.read("k"), Ok(Some("1".into())));
}
