//! Settings at the ends of their ranges, against a good server.

use std::time::Duration;

use wrstats::protocol::request::Action;

use crate::support::client::{Client, ms, set, ttl, within};
use crate::support::memcached::Memcached;

#[test]
fn a_small_buffer_is_sent_before_it_is_full() {
    let server = Memcached::tcp(&[]);
    for size in ["4096", "20000", "60000"] {
        let mut client = Client::with(server.address(), &[("buffer_bytes", size)]);
        // A connection first: without one the bound is the bound.
        assert_eq!(client.read("k"), Ok(None));
        for n in 0..20_000 {
            assert!(
                client.count(&format!("{size}:{n}")),
                "number {n} refused at {size} bytes"
            );
        }
        assert_eq!(client.settled().confirmed, 20_000);
    }
}

#[test]
fn without_an_interval_every_call_sends() {
    let server = Memcached::tcp(&[]);
    let mut client = Client::with(server.address(), &[("flush_interval", "0")]);
    assert_eq!(client.read("k"), Ok(None));
    for n in 1..10 {
        client.count("k");
        assert_eq!(client.books().pending, 0);
        client.sync(Some(ms(500)));
        assert_eq!(server.counter("k"), Some(n));
    }
}

#[test]
fn what_was_queued_leaves_with_a_call_after_the_interval() {
    let server = Memcached::tcp(&[]);
    let mut client = Client::with(server.address(), &[("flush_interval", "0.1")]);
    assert_eq!(client.read("k"), Ok(None));
    client.count("old");
    assert_eq!(client.books().pending, 1);
    std::thread::sleep(ms(120));
    client.count("new");
    assert_eq!(client.books().pending, 0);
}

#[test]
fn a_wait_without_end_is_one_until_all_is_confirmed() {
    let server = Memcached::tcp(&[]);
    let mut client = Client::of(server.address());
    client.count("k");
    assert!(within(ms(1000), || client.sync(Some(Duration::MAX))));
}

#[test]
fn what_a_large_read_took_is_given_back() {
    let server = Memcached::tcp(&["-I", "16m"]);
    let mut client = Client::with(server.address(), &[("timeout", "5")]);
    let value = vec![b'x'; 10 << 20];
    client.write(b"large", set(&value)).unwrap();
    assert_eq!(client.get(b"large", false).unwrap().unwrap().value, value);
    let held = client.pool().borrow().links()[0]
        .connection()
        .answer_data()
        .len();
    assert_eq!(held, 0, "the caller has it");
}

#[test]
fn a_value_that_no_server_could_take_is_not_sent() {
    // Lengths from 2^31 on are none to memcached, which then reads the value as commands; the bound is lower.
    let server = Memcached::tcp(&[]);
    let mut client = Client::with(server.address(), &[("timeout", "5")]);
    let value = vec![b'x'; wrstats::protocol::reply::MAX_VALUE + 1];
    let sent = client.books().bytes_sent;
    let store = set(&value);
    assert!(client.write(b"k", store).is_err());
    assert!(
        client.failure_text().contains("too large"),
        "{}",
        client.failure_text()
    );
    assert!(client.books().bytes_sent < sent + 1000);
    assert_eq!(client.queue(b"k", store), Ok(false));
    assert!(client.write(b"k", Action::Touch { ttl: ttl(9) }).is_ok());
}
