//! Servers that don't answer: stopped, silent, slow to let in. How long callers wait, and what the books say.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::support::client::{Client, Stopwatch, WAIT, assert_accounted, ms, row, set, within};
use crate::support::fake::{Fake, greet, serve, until_closed};
use crate::support::memcached::Memcached;
use crate::support::model::{Kind, Session};

#[test]
fn a_stopped_server_costs_one_time_out() {
    for server in [Memcached::tcp(&[]), Memcached::unix(&[])] {
        let mut client = Client::of(server.address());
        let warm = client.warm_up("k");
        server.stop();
        // Background work waits for nothing: what the kernel doesn't take stays here.
        let longest = (0..100)
            .map(|request| {
                let watch = Stopwatch::start();
                for n in 0..1200 {
                    client.count(&format!("abusefilter-profile:{request}:{n}"));
                }
                client.flush();
                watch.elapsed()
            })
            .max()
            .unwrap();
        assert!(longest < ms(100), "{longest:?}");
        // A request's end waits once for a server that takes nothing.
        within(ms(100), || client.end_request());
        client.count("once_more");
        within(ms(40), || client.end_request());
        // The first read waits for its time-out, the next ones not.
        within(ms(300), || {
            assert!(
                client
                    .read("k")
                    .unwrap_err()
                    .contains("no answer within 0.2 s")
            )
        });
        for _ in 0..20 {
            within(ms(50), || assert!(client.read("k").is_err()));
        }
        // Nor does sync, while the server is marked down.
        within(ms(40), || assert!(!client.sync(WAIT)));
        let books = client.books();
        assert!(books.lost > 0 && books.timeouts == 1, "{books:?}");

        server.go_on();
        std::thread::sleep(ms(400));
        assert_eq!(client.read_at_last("k"), Some(warm.to_string()));
        let books = client.settled();
        assert_eq!((books.pending, books.dropped), (0, 0));
        // What was counted as lost may have arrived after all.
        assert_accounted(server.stat("curr_items") - 1 + warm, &books);
    }
}

#[test]
fn stopped_for_longer_than_every_time_out() {
    for server in [Memcached::tcp(&[]), Memcached::unix(&[])] {
        let mut client = Client::of(server.address());
        let warm = client.warm_up("k");
        server.stop();
        let stopped = Instant::now();
        let (mut waits, mut longest) = (0, Duration::ZERO);
        let mut n = 0;
        while stopped.elapsed() < ms(2500) {
            for _ in 0..100 {
                n += 1;
                client.count(&format!("n{n}"));
            }
            let watch = Stopwatch::start();
            client.read("k").unwrap_err();
            longest = longest.max(watch.elapsed());
            waits += usize::from(watch.elapsed() > ms(100));
            within(ms(100), || client.end_request());
            std::thread::sleep(ms(10));
        }
        // One time-out to connect and one for the answer, and from then on one at each retry.
        assert!(longest < ms(500), "{longest:?}");
        assert!((2..=10).contains(&waits), "{waits}");
        server.go_on();
        assert_eq!(client.read_at_last("k"), Some(warm.to_string()));
        let books = client.settled();
        assert_eq!((books.dropped, books.refused, books.failed), (0, 0, 0));
        let held = server.stat("curr_items") - 1 + warm;
        assert_accounted(held, &books);
        let name = format!("stopped for 2.5 s, then continued, {}", server.address());
        row(
            &name,
            &books,
            Some(books.calls() - books.merged - held),
            longest,
        );
    }
}

#[test]
fn values_queued_for_a_server_that_is_down_are_dropped_and_counters_kept() {
    let mut server = Memcached::tcp(&[]);
    let mut client = Client::of(server.address());
    client.count("k");
    client.settled();
    server.kill();
    client.queue(b"v", set(b"old")).unwrap();
    client.count("k");
    // Noticed here: the queue goes to a new connection, which is refused.
    client.flush();
    client.read("k").unwrap_err();
    assert_eq!(
        client.queue(b"v", set(b"older")),
        Ok(false),
        "it is known to be down"
    );
    let books = client.books();
    assert_eq!(
        (books.dropped, books.pending, books.refused),
        (1, 1, 1),
        "{books:?}"
    );
    assert!(server.start());
    std::thread::sleep(ms(300));
    assert_eq!(client.read_at_last("v"), None);
    assert_eq!(client.read_at_last("k"), Some("1".into()));
}

#[test]
fn a_server_that_never_greets_is_given_up_by_background_work_too() {
    let fake = Fake::scripted(|number, mut stream| {
        if number == 0 {
            return until_closed(&mut stream);
        }
        serve(Session::new(Kind::V1_6_18), stream, &Mutex::default());
    });
    let mut client = Client::with(fake.address(), &[("protocol", "meta")]);
    client.queue(b"v", set(b"1")).unwrap();
    client.count("k");
    within(ms(100), || client.end_request());
    let deadline = Instant::now() + ms(3000);
    while client.books().confirmed == 0 && Instant::now() < deadline {
        std::thread::sleep(ms(20));
        client.count("k");
        within(ms(60), || client.end_request());
    }
    let books = client.books();
    assert!(books.confirmed > 0, "{books:?}");
    // Nothing is written before meta was heard of, so all of it was kept but the value.
    let kept = (books.lost, books.dropped, books.connects, books.timeouts);
    assert_eq!(kept, (0, 1, 2, 1), "{books:?}");
}

#[test]
fn what_is_queued_goes_to_the_next_connection_when_one_breaks() {
    // Each connection takes the greeting and some, then resets.
    let fake = Fake::scripted(|number, mut stream| {
        if number < 2 {
            greet(&mut stream);
            let mut some = [0; 100_000];
            let _ = std::io::Read::read(&mut stream, &mut some);
            // Unread bytes make the kernel send a reset.
            return;
        }
        serve(Session::new(Kind::V1_6_40), stream, &Mutex::default());
    });
    let mut client = Client::with(
        fake.address(),
        &[
            ("buffer_bytes", "64000000"),
            ("timeout", "5"),
            ("protocol", "meta"),
        ],
    );
    let long = "k".repeat(230);
    for n in 0..30_000 {
        assert!(client.count(&format!("{long}{n}")));
    }
    let watch = Stopwatch::start();
    assert!(!client.sync(Some(Duration::from_secs(5))));
    let took = watch.elapsed();
    let books = client.books();
    assert_eq!((books.pending, books.in_flight()), (0, 0), "{books:?}");
    assert!(books.lost > 0 && books.confirmed > 0);
    assert_eq!(books.lost + books.confirmed, 30_000);
    assert!(took < ms(4500), "{took:?}");
}

#[test]
fn a_full_queue_is_tried_again_without_waiting_for_the_interval() {
    let server = Memcached::unix(&[]);
    let mut client = Client::with(
        server.address(),
        &[("buffer_bytes", "100000"), ("flush_interval", "60")],
    );
    client.warm_up("k");
    server.stop();
    let mut n = 0;
    while client.count(&format!("{n}")) {
        n += 1;
    }
    assert!(n > 4000, "{n}");
    server.go_on();
    // It goes on only as its replies are taken, so not every try finds room.
    let accepted = (0..100).any(|_| {
        std::thread::sleep(ms(2));
        client.count("more")
    });
    assert!(accepted, "{:?}", client.books());
    assert_eq!(client.settled().lost, 0);
    assert_eq!(server.counter("more"), Some(1));
}
