//! `ketama` and `modula` against PECL memcached itself, on random server sets and keys.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use md5::{Digest, Md5};
use wrstats::client::config::Distribution;
use wrstats::client::endpoint::{Address, Server};
use wrstats::client::ring::Ring;

#[path = "../core/ring_vectors.rs"]
mod ring_vectors;

const KEYS: usize = 10_000;
const SETS: usize = 40;

type Set = (Distribution, Vec<Server>);

/// For each set the server of each key, or None where there is no PHP with PECL memcached.
fn ask_pecl(keys: &[Vec<u8>], sets: &[Set]) -> Option<Vec<Vec<u16>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/ring_pecl.php");
    let php = std::env::var_os("PHP").unwrap_or_else(|| "php".into());
    let mut child = Command::new(php)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut question = String::new();
    let hex = |key: &Vec<u8>| {
        key.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    question.push_str(&keys.iter().map(hex).collect::<Vec<_>>().join(" "));
    for (distribution, servers) in sets {
        question.push_str(match distribution {
            Distribution::Ketama => "\nketama",
            Distribution::Modula => "\nmodula",
        });
        for server in servers {
            let (host, port) = match server.endpoint().address() {
                Address::Tcp { host, port } => (host.to_owned(), port),
                Address::Unix(path) => {
                    let hashed_port = server.endpoint().ring_name().ends_with(b":0");
                    (
                        path.to_str().unwrap().to_owned(),
                        if hashed_port { 0 } else { 11211 },
                    )
                }
            };
            question.push_str(&format!(" {host}|{port}|{}", server.weight()));
        }
    }
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(question.as_bytes()));
    let mut answer = Vec::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_end(&mut answer)
        .unwrap();
    let written = writer.join().unwrap();
    let status = child.wait().unwrap();
    if status.code() == Some(77) {
        return None;
    }
    written.unwrap();
    assert!(status.success(), "{status}");
    assert_eq!(answer.len(), keys.len() * sets.len() * 2);
    let numbers: Vec<u16> = answer
        .chunks(2)
        .map(|two| u16::from_le_bytes([two[0], two[1]]))
        .collect();
    Some(numbers.chunks(keys.len()).map(<[u16]>::to_vec).collect())
}

fn skipped() {
    eprintln!(
        "SKIPPED: no `php` with PECL memcached; only the frozen answers in tests/core/ring.rs count"
    );
}

fn random_key(random: &mut fastrand::Rng) -> Vec<u8> {
    let most = if random.u8(..) < 16 { 250 } else { 60 };
    let len = random.usize(1..=most);
    let ascii = random.bool();
    let byte = |random: &mut fastrand::Rng| loop {
        let byte = if ascii {
            random.u8(0x21..0x7f)
        } else {
            random.u8(0x21..)
        };
        if byte != 0x7f {
            return byte;
        }
    };
    (0..len).map(|_| byte(random)).collect()
}

fn random_set(random: &mut fastrand::Rng) -> Set {
    let distribution = if random.u8(..) < 192 {
        Distribution::Ketama
    } else {
        Distribution::Modula
    };
    let count = if random.u8(..) < 32 {
        100
    } else {
        random.usize(1..=12)
    };
    let heaviest = random.choice([0, 1, 5, 100, 1_000_000]).unwrap();
    let servers = (0..count).map(|at| {
        let host = match random.u8(..6) {
            0 => format!("/run/memcached-{at}.sock"),
            1 => format!("2001:db8::{at}"),
            2 => format!("caf\u{e9}{at}.example"),
            3 => format!("Cache_{at}"),
            _ => format!("10.0.{}.{at}", random.u8(..)),
        };
        let port = match random.bool() {
            true => 11211,
            false if host.starts_with('/') => 0,
            false => random.i64(1..=65535),
        };
        let weight = random.i64(0..=heaviest);
        Server::from_parts(host.as_bytes(), Some(port), Some(weight)).unwrap()
    });
    (distribution, servers.collect())
}

#[test]
fn ten_thousand_keys_on_forty_server_sets_go_where_pecl_puts_them() {
    let seed = std::env::var("WRSTATS_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| fastrand::u64(..));
    println!("WRSTATS_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let keys: Vec<_> = (0..KEYS).map(|_| random_key(&mut random)).collect();
    let sets: Vec<_> = (0..SETS).map(|_| random_set(&mut random)).collect();
    let Some(answers) = ask_pecl(&keys, &sets) else {
        return skipped();
    };
    for ((distribution, servers), answer) in sets.iter().zip(answers) {
        let ring = Ring::new(*distribution, servers);
        for (key, expected) in keys.iter().zip(answer) {
            let got = ring.server(key);
            let key = key.escape_ascii();
            assert_eq!(
                got,
                usize::from(expected),
                "{key} on {distribution:?} of {servers:?}"
            );
        }
    }
}

#[test]
fn the_frozen_answers_are_those_of_the_installed_pecl() {
    let keys = ring_vectors::keys();
    let vectors = ring_vectors::VECTORS;
    let servers = |list: &str| {
        list.split(' ')
            .map(|text| Server::parse(text.as_bytes()).unwrap())
            .collect()
    };
    let sets: Vec<Set> = vectors
        .iter()
        .map(|vector| (vector.distribution, servers(vector.servers)))
        .collect();
    let Some(answers) = ask_pecl(&keys, &sets) else {
        return skipped();
    };
    for (vector, answer) in vectors.iter().zip(answers) {
        let bytes: Vec<u8> = answer
            .iter()
            .map(|index| u8::try_from(*index).unwrap())
            .collect();
        let digits: String = bytes[..40]
            .iter()
            .map(|index| char::from_digit((*index).into(), 36).unwrap())
            .collect();
        let sum: String = Md5::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            (&*digits, &*sum),
            (vector.first, vector.sum),
            "{}",
            vector.servers
        );
    }
}
