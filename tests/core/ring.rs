//! Which server a key is on, against PECL memcached's frozen answers, and what a ring costs.

use std::time::{Duration, Instant};

use md5::{Digest, Md5};
use wrstats::client::config::Distribution;
use wrstats::client::endpoint::Server;
use wrstats::client::ring::Ring;

use crate::ring_vectors::{VECTORS, keys};

fn servers(list: &str) -> Vec<Server> {
    let server = |text: &str| Server::parse(text.as_bytes()).unwrap();
    list.split(' ').map(server).collect()
}

#[test]
fn keys_go_where_pecl_memcached_puts_them() {
    let keys = keys();
    for vector in VECTORS {
        let ring = Ring::new(vector.distribution, &servers(vector.servers));
        let owners: Vec<u8> = keys.iter().map(|key| ring.server(key) as u8).collect();
        let texts: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
        let mut together = vec![0; keys.len()];
        ring.servers(&texts, &mut together);
        assert!(
            together.iter().eq(owners
                .iter()
                .map(|owner| u16::from(*owner))
                .collect::<Vec<_>>()
                .iter())
        );
        let digit = |owner: &u8| char::from_digit((*owner).into(), 36).unwrap();
        let first: String = owners[..40].iter().map(digit).collect();
        let sum = Md5::digest(&owners);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (&*first, &*sum),
            (vector.first, vector.sum),
            "{}",
            vector.servers
        );
    }
}

/// Some weights leave a server without any point; with enough servers of little weight that could be all
/// of them but one.
#[test]
fn every_key_has_a_server_whatever_the_weights() {
    let mut list: Vec<_> = (0..999).map(|at| format!("h{at}:1:1")).collect();
    list.push("h:1:1000000".into());
    let ring = Ring::new(Distribution::Ketama, &servers(&list.join(" ")));
    for key in keys() {
        assert_eq!(ring.server(&key), 999);
    }
}

/// A ring is made once per pool; this bound is for a debug build on a busy machine.
#[test]
fn a_hundred_servers_of_weight_a_hundred_are_set_up_at_once() {
    let list: Vec<_> = (0..100)
        .map(|at| format!("10.0.0.{at}:11211:100"))
        .collect();
    let servers = servers(&list.join(" "));
    let start = Instant::now();
    let ring = Ring::new(Distribution::Ketama, &servers);
    assert!(
        start.elapsed() < Duration::from_millis(500),
        "{:?}",
        start.elapsed()
    );
    let mut counts = [0; 100];
    for at in 0..100_000 {
        counts[ring.server(format!("key:{at}").as_bytes())] += 1;
    }
    assert!(
        counts.iter().all(|count| (500..2000).contains(count)),
        "{counts:?}"
    );
}
