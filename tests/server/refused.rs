//! Servers that can't be reached, or don't let anyone in.

use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use wrstats::client::failure::Code;
use wrstats::connection::books::Books;

use crate::support::client::{Client, Stopwatch, assert_accounted, ms, row, within};
use crate::support::memcached::Memcached;
use crate::support::ports::free_port;

/// The read's failure: code and message.
fn refusal(client: &mut Client) -> (Code, String) {
    assert!(client.read("k").is_err());
    (client.failure().unwrap().code, client.failure_text())
}

#[test]
fn what_can_not_be_reached_says_why() {
    let port = free_port();
    let refused = "connection refused; is memcached running there?";
    for (address, why) in [
        (format!("127.0.0.1:{port}"), refused),
        (format!("[::1]:{port}"), refused),
        (format!("localhost:{port}"), refused),
        (
            "/nonexistent/m.sock".into(),
            "no such file or directory; is memcached running with `-s` and this path?",
        ),
        (
            "no-such-host.invalid:1".into(),
            "no address: failed to lookup address information",
        ),
    ] {
        let mut client = Client::of(&address);
        let watch = Stopwatch::start();
        let (code, message) = refusal(&mut client);
        assert_eq!(code, Code::Unreachable, "{address}: {message}");
        assert!(message.starts_with(why), "{address}: {message}");
        // Looking a name up may take what it takes.
        if !address.contains("invalid") {
            assert!(watch.elapsed() < ms(300));
        }
        let (_, message) = within(ms(50), || refusal(&mut client));
        assert!(
            message.starts_with("marked down, to be tried again in 0."),
            "{message}"
        );
        for n in 0..1000 {
            assert!(client.count(&format!("k{n}")), "kept for when it is back");
        }
        assert!(!client.flush());
        within(ms(60), || client.end_request());
        let books = client.books();
        assert_eq!((books.pending, books.connects), (1000, 0));
    }
}

#[test]
fn a_black_hole_costs_one_connect_time_out() {
    // A listener that accepts nothing, its queue full: connecting gets no answer.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    rustix_listen_again(&listener);
    let address = listener.local_addr().unwrap();
    let mut fillers = Vec::new();
    while let Ok(stream) = TcpStream::connect_timeout(&address, ms(100)) {
        fillers.push(stream);
        assert!(fillers.len() < 100, "the queue never fills");
    }
    let mut client = Client::of(&address.to_string());
    let (code, message) = within(ms(300), || refusal(&mut client));
    assert_eq!(
        (code, &message[..]),
        (Code::Unreachable, "no connection within 0.2 s")
    );
    for _ in 0..20 {
        within(ms(50), || refusal(&mut client));
        client.count("k");
        within(ms(50), || client.flush());
    }
    // Request ends wait shutdown_timeout for it, 0.05 s, once and together, whatever is queued.
    let mut waited = std::time::Duration::ZERO;
    for _ in 0..20 {
        let watch = Stopwatch::start();
        client.end_request();
        waited += watch.elapsed();
        std::thread::sleep(ms(20));
        client.count("k");
    }
    assert!(waited < ms(80), "{waited:?}");
}

/// Makes the queue of a listener as short as can be.
fn rustix_listen_again(listener: &TcpListener) {
    rustix::net::listen(listener, 0).unwrap();
}

#[test]
fn a_full_server_says_so() {
    let server = Memcached::tcp(&["-t", "1", "-c", "64"]);
    let mut clients: Vec<Client> = (0..100)
        .map(|_| Client::with(server.address(), &[("timeout", "0.3")]))
        .collect();
    let mut refused = 0;
    let mut longest = Duration::ZERO;
    for client in &mut clients {
        client.count("k");
        let watch = Stopwatch::start();
        let answer = within(ms(600), || client.read("k"));
        longest = longest.max(watch.elapsed());
        match answer {
            Ok(Some(_)) => {}
            Ok(None) => panic!("its own increment is not seen"),
            Err(message) => {
                refused += 1;
                assert!(message.contains("Too many open connections"), "{message}");
                assert_eq!(client.failure().unwrap().code, Code::Unexpected);
                let books = client.books();
                // A first write goes out with the first bytes, and is lost with them.
                assert_eq!(
                    (books.pending + books.lost, books.confirmed),
                    (1, 0),
                    "{books:?}"
                );
            }
        }
    }
    assert!((20..100).contains(&refused), "{refused}");
    // While it is down counters are kept; with room again they go out.
    let mut last = clients.pop().unwrap();
    let lost = last.books().lost;
    last.count("k");
    let mut all = Books::default();
    for mut client in clients {
        all.add(&client.settled());
    }
    std::thread::sleep(ms(400));
    let books = last.settled();
    let arrived = books.confirmed + books.merged;
    assert_eq!((arrived + lost, books.lost), (2, lost), "{books:?}");
    all.add(&books);
    let held = server.counter("k").unwrap();
    assert_accounted(held - books.merged, &all);
    let missing = all.calls() - held;
    row(
        "connection limit, maxconns_fast",
        &all,
        Some(missing),
        longest,
    );
}

#[test]
fn a_server_that_lets_nobody_in_until_there_is_room() {
    let server = Memcached::tcp(&["-t", "1", "-c", "64", "-o", "no_maxconns_fast"]);
    let mut clients: Vec<Client> = (0..100).map(|_| Client::of(server.address())).collect();
    let mut silent = 0;
    let mut longest = Duration::ZERO;
    for client in &mut clients {
        client.count("k");
        let watch = Stopwatch::start();
        let answer = within(ms(500), || client.read("k"));
        longest = longest.max(watch.elapsed());
        if let Err(message) = answer {
            silent += 1;
            let texts = ["no answer within", "no connection within"];
            assert!(texts.iter().any(|text| message.contains(text)), "{message}");
        }
    }
    assert!((4..100).contains(&silent), "{silent}");
    // One by one they find room.
    let mut books = Books::default();
    for mut client in clients {
        books.add(&client.settled());
    }
    let held = server.counter("k").unwrap();
    assert_accounted(held, &books);
    assert_eq!((books.dropped, books.refused, books.failed), (0, 0, 0));
    row(
        "connection limit, no_maxconns_fast",
        &books,
        Some(100 - held),
        longest,
    );
}

#[test]
fn a_server_that_wants_a_password_gets_a_clear_answer() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("users");
    std::fs::write(&file, "user:password\n").unwrap();
    let server = Memcached::tcp(&["-Y", file.to_str().unwrap()]);
    for protocol in ["auto", "meta", "classic"] {
        let mut client = Client::with(server.address(), &[("protocol", protocol)]);
        client.count("k");
        let (code, message) = within(ms(300), || refusal(&mut client));
        assert_eq!(code, Code::Unexpected);
        assert!(
            message.starts_with("wants a user name and password"),
            "{protocol}: {message}"
        );
        let books = client.books();
        assert_eq!((books.pending + books.lost, books.confirmed), (1, 0));
    }
}

#[test]
fn one_of_several_servers_down_concerns_its_own_keys_only() {
    let servers = [
        Memcached::tcp(&[]),
        Memcached::tcp(&[]),
        Memcached::tcp(&[]),
    ];
    let list: Vec<&str> = servers.iter().map(|server| server.address()).collect();
    let list = list.join(",");
    let mut client = Client::of(&list);
    let keys: Vec<String> = (0..300).map(|n| format!("key{n}")).collect();
    for key in &keys {
        client.count(key);
    }
    assert_eq!(client.settled().confirmed, 300);
    let dead = servers[1].address().to_string();
    let on_dead: Vec<&String> = keys
        .iter()
        .filter(|key| client.server_for(key.as_bytes()) == dead)
        .collect();
    assert!((30..200).contains(&on_dead.len()), "{}", on_dead.len());
    servers[1].stop();

    let list = client.keys(&keys);
    let held = |client: &mut Client| {
        let answers = client.get_many(&list, false);
        let held = answers
            .iter()
            .filter(|answer| matches!(answer, wrstats::connection::asks::Answer::Value { .. }))
            .count();
        assert_eq!(&*answers.failure.expect("the dead one's").server, &dead[..]);
        held
    };
    let live = keys.len() - on_dead.len();
    assert_eq!(within(ms(400), || held(&mut client)), live);
    // Others are unaffected, and the dead one is tried once per interval at most.
    let started = Instant::now();
    let connects = client.books().connects;
    let mut slow = 0;
    for _ in 0..200 {
        let before = Stopwatch::start();
        assert_eq!(held(&mut client), live);
        for key in &keys {
            client.count(key);
        }
        client.flush();
        slow += u32::from(before.elapsed() > ms(50));
        std::thread::sleep(ms(3));
    }
    // Stopped servers take connections; each attempt is a connection and a time-out.
    let attempts = client.books().connects - connects;
    let most = started.elapsed().as_millis() as u64 / 150 + 1;
    assert!(attempts <= most, "{attempts} attempts, {most} intervals");
    assert!(
        u64::from(slow) <= attempts,
        "{slow} slow rounds, {attempts} attempts"
    );
    servers[1].go_on();
    client.read_at_last(on_dead[0]);
    let answers = client.get_many(&list, false);
    assert_eq!(answers.failure, None);
    client.settled();
    let value = servers[1].counter(on_dead[0]).unwrap();
    assert!((1..=201).contains(&value));
    for key in keys.iter().filter(|key| !on_dead.contains(key)).take(10) {
        let value: u64 = servers
            .iter()
            .filter_map(|server| server.counter(key))
            .sum();
        assert_eq!(value, 201, "{key}");
    }
}
