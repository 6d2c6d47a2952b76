//! What `sync()` says when not all was confirmed.

use wrstats::client::failure::{Code, Kind};

use crate::support::client::{Client, WAIT, ms, set};
use crate::support::memcached::Memcached;

#[test]
fn an_error_answer_is_told() {
    let server = Memcached::tcp(&[]);
    for protocol in ["meta", "classic"] {
        let mut client = Client::with(
            server.address(),
            &[("protocol", protocol), ("timeout", "2")],
        );
        client.write(b"abc", set(b"abc")).unwrap();
        client.count("good");
        client.count("abc");
        assert!(!client.sync(WAIT));
        let failure = client.failure().unwrap();
        assert_eq!(
            (failure.kind, &*failure.server),
            (Kind::Server, server.address())
        );
        assert_eq!(
            &*failure.message,
            "cannot increment or decrement non-numeric value"
        );
        client.count("good");
        assert!(client.sync(WAIT));
        assert_eq!(client.failure(), None);
    }
}

#[test]
fn the_server_at_fault_is_named_and_not_one_that_was_once() {
    let mut servers = [Memcached::tcp(&[]), Memcached::tcp(&[])];
    let list = format!("{},{}", servers[0].address(), servers[1].address());
    let mut client = Client::of(&list);
    let keys: Vec<String> = (0..100).map(|n| format!("k{n}")).collect();
    let count = |client: &mut Client| keys.iter().for_each(|key| assert!(client.count(key)));
    count(&mut client);
    client.settled();
    for (dead, alive) in [(0, 1), (1, 0)] {
        servers[dead].kill();
        count(&mut client);
        assert!(!client.sync(Some(ms(100))));
        let failure = client.failure().unwrap();
        assert_eq!(&*failure.server, servers[dead].address(), "{failure}");
        assert_ne!(&*failure.server, servers[alive].address());
        assert_ne!(failure.code, Code::Unexpected, "{failure}");
        assert!(servers[dead].start());
        client.settled();
    }
}

#[test]
fn an_answer_that_is_still_due_is_told() {
    let server = Memcached::tcp(&[]);
    let mut client = Client::of(server.address());
    client.warm_up("k");
    server.stop();
    client.count("k");
    assert!(!client.sync(Some(ms(50))));
    let failure = client.failure().unwrap();
    assert_eq!(
        (failure.code, &*failure.message),
        (Code::NoResponse, "no answer within 0.05 s")
    );
    server.go_on();
    assert!(client.sync(WAIT), "it was late, and that is all");
}

#[test]
fn memory_tells_too() {
    let mut client = Client::new(&[("servers", "memory:")]);
    client.queue(b"abc", set(b"abc")).unwrap();
    client.count("abc");
    assert!(!client.sync(None));
    let failure = client.failure().unwrap();
    assert_eq!((failure.kind, &*failure.server), (Kind::Server, "memory:"));
    assert!(failure.message.contains("non-numeric"), "{failure}");
    client.count("good");
    assert!(client.sync(None));
}
