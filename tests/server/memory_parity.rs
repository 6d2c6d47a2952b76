//! `memory:` answers what memcached answers: random commands on both.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Instant;

use wrstats::client::memory::{Memory, MemoryError, Outcome};
use wrstats::protocol::request::{Action, Command, StoreMode};
use wrstats::protocol::ttl::Ttl;

use crate::support::memcached::Memcached;

/// A plain connection to a memcached of its own.
struct Peer {
    stream: BufReader<UnixStream>,
    _server: Memcached,
}

impl Peer {
    fn start() -> Self {
        let server = Memcached::unix(&[]);
        let stream = UnixStream::connect(server.address()).unwrap();
        Peer {
            stream: BufReader::new(stream),
            _server: server,
        }
    }

    fn line(&mut self) -> String {
        let mut line = Vec::new();
        self.stream.read_until(b'\n', &mut line).unwrap();
        String::from_utf8(line).unwrap().trim_end().to_owned()
    }

    /// The value, flags and CAS unique of a key.
    fn gets(&mut self, key: &str) -> Option<(Vec<u8>, u32, u64)> {
        write!(self.stream.get_mut(), "gets {key}\r\n").unwrap();
        let line = self.line();
        if line == "END" {
            return None;
        }
        let fields: Vec<&str> = line.split(' ').collect();
        let mut value = vec![0; fields[3].parse::<usize>().unwrap() + 2];
        self.stream.read_exact(&mut value).unwrap();
        value.truncate(value.len() - 2);
        assert_eq!(self.line(), "END");
        Some((
            value,
            fields[2].parse().unwrap(),
            fields[4].parse().unwrap(),
        ))
    }

    /// What became of a command, in our words.
    fn apply(&mut self, key: &str, action: Action<'_>) -> Result<Outcome, String> {
        let stream = self.stream.get_mut();
        match action {
            Action::Incr { step, init, .. } => write!(stream, "ma {key} N0 J{init} D{step} v\r\n"),
            Action::Decr { step } => write!(stream, "ma {key} MD D{step} v\r\n"),
            Action::Delete => write!(stream, "delete {key}\r\n"),
            Action::Touch { .. } => write!(stream, "touch {key} 0\r\n"),
            Action::Store {
                mode, flags, value, ..
            } => {
                let (word, unique) = match mode {
                    StoreMode::Set => ("set", String::new()),
                    StoreMode::Add => ("add", String::new()),
                    StoreMode::Replace => ("replace", String::new()),
                    StoreMode::Cas(unique) => ("cas", format!(" {unique}")),
                };
                let head = format!("{word} {key} {flags} 0 {}{unique}\r\n", value.len());
                stream.write_all(&[head.as_bytes(), value, b"\r\n"].concat())
            }
        }
        .unwrap();
        match &*self.line() {
            "STORED" | "DELETED" | "TOUCHED" => Ok(Outcome::Done),
            "NOT_STORED" => Ok(Outcome::NotStored),
            "NOT_FOUND" | "NF" => Ok(Outcome::NotFound),
            "EXISTS" => Ok(Outcome::Exists),
            line if line.starts_with("VA ") => Ok(Outcome::Number(self.line().parse().unwrap())),
            line => Err(line.to_owned()),
        }
    }
}

#[test]
fn twenty_thousand_commands_have_the_same_outcome_on_memcached() {
    let mut memcached = Peer::start();
    let seed = std::env::var("WRSTATS_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("WRSTATS_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut memory = Memory::default();
    let now = Instant::now();
    // A value of white space alone is left out: memcached reads on behind it.
    #[rustfmt::skip]
    let values: [&[u8]; 26] = [
        b"", b"0", b"5", b"10", b"100", b" 5", b"+5", b"5 ", b"5 abc", b"007", b"-1", b"-0", b"0x10", b"1.5", b"1e3",
        b"abc", b"18446744073709551615", b"18446744073709551616", b"18446744073709551614", b"9223372036854775807",
        b"-9223372036854775808", b"-9223372036854775809", b"-18446744073709551615", b"5\0", b"\t5\t", b"5\r\n6",
    ];
    let steps = [0, 1, 2, 95, u64::MAX, 1 << 63];
    let too_large = vec![b'7'; 1 << 20];
    let ttl = Ttl::FOREVER;
    for _ in 0..20_000 {
        let key = ["a", "b", "c", "d"][random.usize(..4)];
        let theirs = memcached.gets(key);
        let ours = memory
            .get(key.as_bytes(), now)
            .map(|found| (found.value.into_owned(), found.flags, found.cas));
        let trimmed = |item: &Option<(Vec<u8>, u32, u64)>| {
            let (value, flags, _) = item.as_ref()?;
            Some((value.trim_ascii_end().to_vec(), *flags))
        };
        assert_eq!(trimmed(&theirs), trimmed(&ours));
        let step = random.choice(steps).unwrap();
        let value = random.choice(values).unwrap();
        let value = if random.u8(..) == 0 {
            &too_large
        } else {
            value
        };
        let flags = random.choice([0, 1, u32::MAX]).unwrap();
        let store = |mode| Action::Store {
            mode,
            flags,
            ttl,
            value,
        };
        let action = match random.u8(..12) {
            0..4 => Action::Incr {
                step,
                init: random.choice(steps).unwrap(),
                ttl,
            },
            4 | 5 => Action::Decr { step },
            6 => Action::Delete,
            7 => Action::Touch { ttl },
            8 => store(StoreMode::Add),
            9 => store(StoreMode::Replace),
            10 => {
                // The CAS unique just read, or one that nothing has.
                let current = random.bool();
                let unique = |item: &Option<(Vec<u8>, u32, u64)>| match item {
                    Some((_, _, unique)) if current => *unique,
                    _ => u64::MAX,
                };
                let ours = memory.apply(
                    &Command {
                        key: key.as_bytes(),
                        action: store(StoreMode::Cas(unique(&ours))),
                    },
                    now,
                );
                let theirs = memcached.apply(key, store(StoreMode::Cas(unique(&theirs))));
                assert_eq!(ours.map_err(|error| error.to_string()), theirs);
                continue;
            }
            _ => store(StoreMode::Set),
        };
        let ours = memory.apply(
            &Command {
                key: key.as_bytes(),
                action,
            },
            now,
        );
        let theirs = memcached.apply(key, action);
        assert_eq!(
            ours.map_err(|error: MemoryError| error.to_string()),
            theirs,
            "{key}: {step} {flags}"
        );
    }
}
