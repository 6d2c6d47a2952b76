//! Servers far away: how often a call goes there and back, and what waiting costs those who don't wait.

use std::time::{Duration, Instant};

use wrstats::connection::asks::Answer;
use wrstats::protocol::request::{Action, Command};

use crate::support::client::{Client, WAIT, ms};
use crate::support::delay;
use crate::support::memcached::Memcached;

/// Long enough that a busy machine can't make one round trip look like two.
const ONE_WAY: Duration = ms(40);
const ROUND_TRIP: Duration = ms(80);

/// Eight servers behind lines of 40 ms each way, and their addresses for a configuration.
fn far_servers() -> (Vec<Memcached>, Vec<crate::support::fake::Fake>, String) {
    let servers: Vec<Memcached> = (0..8).map(|_| Memcached::tcp(&["-t", "1"])).collect();
    let lines: Vec<_> = servers
        .iter()
        .map(|server| delay::line(server.address(), ONE_WAY))
        .collect();
    let addresses: Vec<&str> = lines.iter().map(|line| line.address()).collect();
    let all = addresses.join(",");
    (servers, lines, all)
}

/// How long `call` takes at best: other programs on the machine only add to it.
fn best_of(times: usize, mut call: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| call()).min().unwrap()
}

#[test]
fn a_first_read_takes_one_round_trip_after_connecting_and_the_next_one_too() {
    let (_servers, _lines, addresses) = far_servers();
    let read = |client: &mut Client| {
        let keys = client.keys((0..100).map(|n| format!("key{n}")));
        let started = Instant::now();
        let answers = client.get_many(&keys, false);
        assert_eq!(
            answers
                .iter()
                .filter(|answer| **answer == Answer::Missing)
                .count(),
            100
        );
        started.elapsed()
    };
    // Connecting to the line takes no time, so the first read is one round trip instead of two.
    let first = best_of(5, || read(&mut Client::of(&addresses)));
    assert!(
        first >= ROUND_TRIP && first < ROUND_TRIP.mul_f64(1.7),
        "{first:?}"
    );
    let mut client = Client::of(&addresses);
    read(&mut client);
    let next = best_of(5, || read(&mut client));
    assert!(
        next >= ROUND_TRIP && next < ROUND_TRIP.mul_f64(1.7),
        "{next:?}"
    );
}

#[test]
fn a_write_with_an_answer_takes_one_round_trip_on_all_servers_together() {
    let (servers, _lines, addresses) = far_servers();
    let mut client = Client::of(&addresses);
    let all = client.keys((0..100).map(|n| format!("warm{n}")));
    client.get_many(&all, false);
    let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
    let took = best_of(5, || {
        let commands: Vec<Command<'_>> = names
            .iter()
            .map(|name| Command {
                key: name.as_bytes(),
                action: Action::Incr {
                    step: 1,
                    ttl: crate::support::client::ttl(60),
                    init: 1,
                },
            })
            .collect();
        let started = Instant::now();
        let answers = client.write_many(&commands);
        assert!(
            answers
                .iter()
                .all(|answer| matches!(answer, Answer::Number(_)))
        );
        started.elapsed()
    });
    assert!(
        took >= ROUND_TRIP && took < ROUND_TRIP.mul_f64(1.7),
        "{took:?}"
    );
    let sum: u64 = names
        .iter()
        .map(|name| {
            servers
                .iter()
                .filter_map(|server| server.counter(name))
                .sum::<u64>()
        })
        .sum();
    assert_eq!(sum, 500);
}

#[test]
fn a_hundred_thousand_increments_do_not_wait_for_the_distance() {
    let server = Memcached::tcp(&[]);
    let line = delay::line(server.address(), ONE_WAY);
    let mut client = Client::with(line.address(), &[("timeout", "5")]);
    let warm = client.warm_up("warm");
    let names: Vec<String> = (0..100_000).map(|n| format!("counter:{n:06}")).collect();
    let started = Instant::now();
    for name in &names {
        assert!(client.count(name));
    }
    client.flush();
    let inside = started.elapsed();
    let books = client.books();
    assert!(books.pending_bytes <= 8 << 20);
    assert!(client.sync(WAIT));
    let books = client.books();
    assert_eq!(
        (books.lost, books.refused, books.confirmed),
        (0, 0, 100_000 + warm)
    );
    assert_eq!(server.stat("curr_items"), 100_001);
    // Unoptimised code takes several times as long.
    let limit = if cfg!(debug_assertions) {
        ms(1500)
    } else {
        ms(40)
    };
    assert!(inside < limit, "{inside:?}");
    eprintln!("100,000 increments over {ROUND_TRIP:?}: {inside:?} inside the client");
}
