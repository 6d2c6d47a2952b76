//! Answers that come after their time-out: never another call's value.

use std::sync::Arc;
use std::time::Duration;

use wrstats::connection::asks::Answer;
use wrstats::protocol::request::Action;

use crate::support::client::{Client, Stopwatch, ms, row, set, ttl};
use crate::support::memcached::Memcached;
use crate::support::proxy::relay;

#[test]
fn a_thousand_delayed_answers_and_never_a_wrong_value() {
    let server = Memcached::tcp(&[]);
    // Some answers come in time, some just not, some long after.
    let delay = || Some(Duration::from_micros(fastrand::u64(0..6000)));
    let proxy = relay(server.address(), Arc::new(delay));
    let settings = [
        ("timeout", "0.004"),
        ("connect_timeout", "0.1"),
        ("retry_interval", "0.001"),
    ];
    let keys = ["a", "b", "c"];
    let mut good = Client::of(server.address());
    for key in keys {
        good.write(key.as_bytes(), set(format!("value of {key}").as_bytes()))
            .unwrap();
    }
    let mut client = Client::with(proxy.address(), &settings);
    let (mut right, mut none) = (0, 0);
    let mut steps = 0;
    let mut longest = Duration::ZERO;
    for run in 0..1000 {
        let watch = Stopwatch::start();
        match run % 4 {
            0..=2 => {
                let key = keys[fastrand::usize(0..3)];
                match client.read(key) {
                    Ok(value) => {
                        assert_eq!(value, Some(format!("value of {key}")));
                        right += 1;
                    }
                    Err(_) => none += 1,
                }
            }
            _ => {
                // Background writes are on the same connection, and a counter in between.
                client.count("background");
                client.flush();
                let incr = Action::Incr {
                    step: 1000,
                    ttl: ttl(0),
                    init: 1_000_000,
                };
                steps += 1;
                match client.write(b"n", incr) {
                    Ok(Answer::Number(n)) => {
                        assert!(
                            n >= 1_000_000 && n % 1000 == 0 && n < 1_000_000 + steps * 1000,
                            "{n}"
                        );
                        right += 1;
                    }
                    Ok(other) => panic!("{other:?}"),
                    Err(_) => none += 1,
                }
            }
        }
        longest = longest.max(watch.elapsed());
        client.books();
        std::thread::sleep(ms(1));
    }
    assert!(
        right > 100 && none > 100,
        "{right} answers, {none} time-outs"
    );
    // The time-outs allow 0.104 s; the rest is for a busy machine.
    assert!(longest < ms(250), "{longest:?}");
    // Applied once each at most, whatever became of the answer.
    let n: u64 = good.read("n").unwrap().unwrap().trim().parse().unwrap();
    assert!(n < 1_000_000 + steps * 1000);
    let books = client.books();
    let counted = server.counter("background").unwrap_or(0);
    // What waited together was merged: a command then confirms more than one step.
    assert!(
        (books.confirmed..=books.calls()).contains(&counted),
        "{counted} of {books:?}"
    );
    row(
        "answers delayed past the time-out",
        &books,
        Some(books.calls() - counted),
        longest,
    );
}
