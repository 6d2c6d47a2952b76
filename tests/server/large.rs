//! Much at once, and for long: large reads, and memory that stays flat.

use std::time::Duration;

use wrstats::connection::asks::Answer;

use crate::support::alone::{alone, descriptors, resident_kib};
use crate::support::client::{Client, WAIT, ms, set, within};
use crate::support::fake::Fake;
use crate::support::memcached::Memcached;
use crate::support::model::Kind;

#[test]
fn two_hundred_thousand_keys_over_a_unix_socket() {
    for server in [
        Memcached::unix(&["-m", "256"]),
        Memcached::tcp(&["-m", "256"]),
    ] {
        let mut client = Client::with(
            server.address(),
            &[("timeout", "10"), ("buffer_bytes", "100000000")],
        );
        let value = |n: usize| format!("{n}:{}", "x".repeat(1000));
        for n in (0..200_000).step_by(10) {
            assert_eq!(
                client.queue(format!("k{n}").as_bytes(), set(value(n).as_bytes())),
                Ok(true)
            );
        }
        assert!(client.sync(WAIT));
        let keys = client.keys((0..200_000).map(|n| format!("k{n}")));
        let answers = within(Duration::from_secs(5), || client.get_many(&keys, false));
        assert_eq!(answers.failure, None);
        for (n, answer) in answers.iter().enumerate() {
            match answer {
                Answer::Value { data, .. } if n % 10 == 0 => {
                    assert_eq!(answers.bytes(data), value(n).as_bytes());
                }
                Answer::Missing if n % 10 != 0 => {}
                other => panic!("{n}: {other:?}"),
            }
        }
    }
}

#[test]
fn many_values_written_and_answered_over_a_unix_socket() {
    use wrstats::protocol::request::Command;
    let server = Memcached::unix(&["-m", "256"]);
    let mut client = Client::with(server.address(), &[("timeout", "10")]);
    let keys: Vec<String> = (0..20_000).map(|n| format!("k{n}")).collect();
    let value = vec![b'v'; 2000];
    let commands: Vec<Command<'_>> = keys
        .iter()
        .map(|key| Command {
            key: key.as_bytes(),
            action: set(&value),
        })
        .collect();
    let answers = within(Duration::from_secs(5), || client.write_many(&commands));
    assert!(answers.failure.is_none() && answers.iter().all(|answer| *answer == Answer::Done));
}

#[test]
fn memory_and_descriptors_stay_flat_over_reconnects() {
    alone(
        "large::memory_and_descriptors_stay_flat_over_reconnects",
        || {
            let fake = Fake::changing(Kind::V1_6_18, Kind::V1_6_40);
            // Each connection is closed by the server after some work.
            let mut client = Client::with(
                fake.address(),
                &[("retry_interval", "0.001"), ("timeout", "2")],
            );
            let round = |client: &mut Client, n: usize| {
                for i in 0..200 {
                    client.count(&format!("k{}", (n * 7 + i) % 300));
                }
                client.end_request();
                assert!(client.read("k1").is_ok());
                fake.hang_up();
                fake.store().log = Vec::new();
            };
            for n in 0..100 {
                round(&mut client, n);
            }
            std::thread::sleep(ms(50));
            let (memory, files) = (resident_kib(), descriptors());
            for n in 0..1000 {
                round(&mut client, n);
            }
            std::thread::sleep(ms(50));
            let grown = resident_kib().saturating_sub(memory);
            // The fake's threads come and go in the same process.
            assert!(grown < 4000, "{grown} KiB more after 1,000 reconnects");
            assert!(
                descriptors() <= files + 2,
                "{} descriptors, {files} before",
                descriptors()
            );
            assert!(client.books().connects > 1000);
        },
    );
}

#[test]
fn memory_of_a_burst_is_given_back() {
    alone("large::memory_of_a_burst_is_given_back", || {
        let server = Memcached::tcp(&["-m", "256"]);
        let mut client = Client::with(
            server.address(),
            &[("buffer_bytes", "200000000"), ("timeout", "10")],
        );
        client.warm_up("k");
        client.end_request();
        let before = resident_kib();
        server.stop();
        for n in 0..500_000 {
            assert!(client.count(&format!("a-key-of-the-usual-length-{n}")));
        }
        let grown = resident_kib() - before;
        assert!(grown > 15_000, "{grown} KiB for 25 MB of records");
        server.go_on();
        assert!(client.sync(WAIT));
        client.end_request();
        let kept = resident_kib().saturating_sub(before);
        assert!(kept < 1000, "{kept} KiB are kept");
    });
}

#[test]
fn a_child_of_fork_starts_anew() {
    // The mark is the process's: every other test's pools would start anew as well.
    alone("large::a_child_of_fork_starts_anew", || {
        let server = Memcached::tcp(&[]);
        let mut client = Client::of(server.address());
        client.warm_up("k");
        client.count("parents");
        // What pthread_atfork calls in the child; the sockets are still the parent's there.
        wrstats::client::fork::forked();
        let books = client.books();
        assert_eq!(
            (books.calls(), books.pending, books.connects),
            (0, 0, 0),
            "{books:?}"
        );
        client.count("childs");
        assert!(client.sync(WAIT));
        assert_eq!(client.books().confirmed, 1);
        assert_eq!(server.counter("parents"), None);
        assert_eq!(server.counter("childs"), Some(1));
    });
}
