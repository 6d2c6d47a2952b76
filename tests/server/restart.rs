//! A server that is killed, restarted, or closes idle connections.

use std::net::Shutdown;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::client::{Client, Stopwatch, assert_accounted, ms, row, within};
use crate::support::fake::{Fake, greet, serve, until_closed};
use crate::support::memcached::Memcached;
use crate::support::model::{Kind, Session};
use crate::support::proxy::relay;

/// A sentence's worth of each kind of server.
fn servers() -> [Memcached; 2] {
    [Memcached::tcp(&[]), Memcached::unix(&[])]
}

#[test]
fn killed_while_increments_are_on_their_way() {
    for mut server in servers() {
        for protocol in ["meta", "classic"] {
            server.kill();
            assert!(server.start());
            let mut client = Client::with(server.address(), &[("protocol", protocol)]);
            // Each run of the server has its own counter: what was confirmed to it can't be read any more.
            let mut confirmed = 0;
            let mut counted = 0;
            let mut longest = Duration::ZERO;
            for run in 0..3 {
                let before = client.books();
                for n in 0..20_000 {
                    counted += 1;
                    let watch = Stopwatch::start();
                    within(ms(300), || client.count(&format!("run{run}:{n}")));
                    longest = longest.max(watch.elapsed());
                    if n == 10_000 {
                        client.flush();
                        server.kill();
                    }
                }
                within(ms(600), || client.sync(Some(ms(500))));
                let now = client.books();
                assert!(now.lost > before.lost || now.pending > 0, "{now:?}");
                assert!(server.start());
                std::thread::sleep(ms(300));
                // What was kept arrives now.
                client.settled();
                let books = client.books();
                assert_eq!(books.pending, 0, "{books:?}");
                let held = server.stat("curr_items");
                let this_run = books.confirmed - confirmed;
                let lost = books.lost - before.lost;
                assert!(
                    held <= this_run + lost,
                    "{held} held of {this_run} + {lost}"
                );
                confirmed = books.confirmed;
            }
            let books = client.books();
            assert_eq!(books.calls(), counted);
            assert_eq!(
                books.confirmed + books.lost + books.failed,
                counted,
                "{books:?}"
            );
            let name = format!("killed mid-run, 3 times, {protocol}, {}", server.address());
            row(&name, &books, None, longest);
        }
    }
}

/// As by a firewall that was restarted: memcached itself keeps what it has, which tells what really was lost.
#[test]
fn connections_that_end_at_random() {
    for protocol in ["meta", "classic"] {
        let server = Memcached::tcp(&[]);
        let fate = || (fastrand::u8(0..8) > 0).then_some(Duration::ZERO);
        let relay = relay(server.address(), Arc::new(fate));
        let settings = [("protocol", protocol), ("retry_interval", "0.001")];
        let mut client = Client::with(relay.address(), &settings);
        let mut longest = Duration::ZERO;
        for run in 0..300 {
            for n in 0..50 {
                client.count(&format!("{run}:{n}"));
            }
            let watch = Stopwatch::start();
            match run % 3 {
                0 => drop(client.flush()),
                1 => client.end_request(),
                _ => drop(client.read(&format!("{run}:0"))),
            }
            longest = longest.max(watch.elapsed());
            client.books();
            std::thread::sleep(ms(1));
        }
        assert!(longest < ms(450), "{longest:?}");
        let books = client.settled();
        assert_eq!((books.dropped, books.refused, books.failed), (0, 0, 0));
        assert!(books.lost > 0 && books.disconnects > 20, "{books:?}");
        let held = server.stat("curr_items");
        assert_accounted(held, &books);
        let missing = books.calls() - held;
        row(
            &format!("connections cut at random, {protocol}"),
            &books,
            Some(missing),
            longest,
        );
    }
}

/// It reads on, but answers no more.
#[test]
fn a_server_that_has_closed_its_half_of_the_connection() {
    let fake = Fake::scripted(|number, mut stream| {
        if number == 0 {
            greet(&mut stream);
            stream.shutdown(Shutdown::Write).unwrap();
            return until_closed(&mut stream);
        }
        serve(Session::new(Kind::V1_6_40), stream, &Mutex::default());
    });
    let mut client = Client::of(fake.address());
    assert!(client.flush());
    assert_eq!(
        within(ms(150), || client.read("none")),
        Ok(None),
        "asked again"
    );
    client.count("k");
    assert!(client.sync(Some(ms(200))), "{}", client.failure_text());
    let books = client.books();
    assert_eq!((books.confirmed, books.lost, books.connects), (1, 0, 2));
}

#[test]
fn a_restart_between_two_requests_costs_nothing() {
    for mut server in servers() {
        let mut client = Client::of(server.address());
        client.count("before");
        assert_eq!(client.settled().confirmed, 1);
        server.kill();
        assert!(server.start());
        client.count("after");
        assert!(
            client.sync(Some(ms(100))),
            "found closed before it was written to: {}",
            client.failure_text()
        );
        assert_eq!(server.counter("after"), Some(1));
        let books = client.books();
        assert_eq!((books.confirmed, books.lost, books.connects), (2, 0, 2));

        server.kill();
        assert!(server.start());
        assert_eq!(client.read("after"), Ok(None));
        server.kill();
        assert!(server.start());
        assert_eq!(
            client.write(b"a", crate::support::client::set(b"1")),
            Ok(wrstats::connection::asks::Answer::Done)
        );
    }
}

/// More than one sendful, which goes out by itself: an edit's counters right after a restart.
#[test]
fn a_restart_just_before_many_counters_costs_nothing() {
    let mut server = Memcached::tcp(&[]);
    for attempt in 0..5 {
        let mut client = Client::of(server.address());
        // Two exchanges: the first finds out the dialect.
        for _ in 0..2 {
            client.count("once");
            client.settled();
        }
        server.kill();
        // Far less than it takes to start PHP.
        std::thread::sleep(ms(12));
        for n in 0..5000 {
            client.count(&format!("a_key_of_the_usual_length_{n}"));
        }
        assert!(server.start());
        std::thread::sleep(ms(200));
        client.settled();
        let books = client.books();
        assert_eq!(
            (books.confirmed, books.lost, books.dropped),
            (5002, 0, 0),
            "attempt {attempt}: {books:?}"
        );
    }
}

#[test]
fn an_idle_kick_is_noticed_before_the_first_write() {
    let server = Memcached::tcp(&["-o", "idle_timeout=1"]);
    let mut small = Client::of(server.address());
    let mut large = Client::of(server.address());
    for client in [&mut small, &mut large] {
        client.count("once");
        client.settled();
        client.count("once");
        client.settled();
    }
    // memcached looks for idle connections once a second at most.
    std::thread::sleep(Duration::from_millis(4200));
    small.count("small");
    assert!(small.sync(Some(ms(100))), "{}", small.failure_text());
    // More than one sendful goes out by itself, without a flush before it.
    let watch = Stopwatch::start();
    for n in 0..5000 {
        large.count(&format!("a_key_of_the_usual_length_{n}"));
    }
    assert!(large.sync(Some(ms(500))), "{}", large.failure_text());
    row("idle kick", &large.books(), Some(0), watch.elapsed());
    for (client, confirmed) in [(small, 3), (large, 5002)] {
        let books = client.books();
        assert_eq!(
            (books.confirmed, books.lost, books.connects),
            (confirmed, 0, 2),
            "{books:?}"
        );
    }
    assert_eq!(server.counter("once"), Some(4));
}

#[test]
fn killed_under_a_single_counter() {
    for mut server in servers() {
        let mut client = Client::of(server.address());
        client.count("first");
        client.settled();
        for n in 0..2000 {
            client.count("k");
            within(ms(300), || client.flush());
            if n == 1000 {
                // Its counter goes with it, so it is read before.
                assert_eq!(client.settled().lost, 0);
                assert_eq!(server.counter("k"), Some(1001));
                server.kill();
            }
        }
        let books = client.books();
        assert_eq!(books.calls(), 2001);
        assert_eq!(
            books.confirmed + books.merged,
            2001 - books.lost - books.pending
        );
        assert!(server.start());
        std::thread::sleep(ms(300));
        let books = client.settled();
        // Merged while the server was away: one command for many calls.
        assert!(books.merged > 900, "{books:?}");
        let value = server.counter("k").unwrap();
        assert!((900..=999).contains(&value), "{value}");
    }
}
