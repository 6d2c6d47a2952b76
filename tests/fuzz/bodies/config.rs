//! DSNs, settings and addresses: whatever is accepted is in range and harmless on the wire, whatever is refused is
//! refused in a message that can be shown.

use super::Feed;
use wrstats::client::config::{Config, KEYS, MAX_HEAD, MAX_KEYSPACE, MAX_SERVERS, Servers};
use wrstats::client::endpoint::Server;
use wrstats::client::input::{Input, InputKey};
use wrstats::protocol::key::is_bad;

pub fn run(data: &[u8]) {
    let mut feed = Feed(data);
    let base = Config::default();
    match feed.byte() % 3 {
        0 => check(Config::from_dsn(&base, feed.0)),
        1 => {
            let mut settings = Vec::new();
            while let Some(which) = feed.next() {
                let name = KEYS
                    .get(usize::from(which))
                    .map_or_else(|| feed.bytes(), |key| key.as_bytes());
                settings.push((InputKey::Bytes(name.into()), input(&mut feed, 2)));
            }
            check(Config::from_array(&base, &settings));
        }
        _ => match Server::parse(feed.0) {
            Ok(server) => {
                let again =
                    Server::parse(server.endpoint().name()).expect("its own name is an address");
                // (How a socket is hashed is no part of its name.)
                assert_eq!(again.endpoint().address(), server.endpoint().address());
                assert!(!server.endpoint().name().iter().any(u8::is_ascii_control));
            }
            Err(error) => showable(&error.to_string()),
        },
    }
}

fn check(outcome: Result<Config, wrstats::client::config::ConfigError>) {
    match outcome {
        Ok(config) => {
            assert!(config.route.len() + config.prefix.len() <= MAX_HEAD);
            assert!((1..=MAX_KEYSPACE).contains(&config.keyspace.len()));
            let texts = [&config.route, &config.prefix, &config.keyspace];
            assert!(
                !texts
                    .iter()
                    .any(|text| text.iter().any(|&byte| is_bad(byte)))
            );
            assert!((4096..=1 << 30).contains(&config.buffer_bytes));
            assert!(config.timeout.as_millis() > 0 && config.connect_timeout.as_secs() <= 60);
            if let Servers::Remote(servers) = &config.servers {
                assert!((1..=MAX_SERVERS).contains(&servers.len()));
            }
            assert_eq!(config.pool_identity(), config.clone().pool_identity());
        }
        Err(error) => {
            assert!(KEYS.contains(&error.key()) || error.key() == "config");
            showable(&error.to_string());
        }
    }
}

fn showable(message: &str) {
    assert!(
        message.len() < 2_000 && !message.contains(char::is_control),
        "{message:?}"
    );
}

/// What PHP code may pass.
fn input(feed: &mut Feed<'_>, depth: u32) -> Input {
    match feed.byte() % 7 {
        0 => Input::Null,
        1 => Input::Bool(feed.byte() % 2 == 1),
        2 => Input::Int(
            i64::from(feed.byte())
                .wrapping_mul(1 << (feed.byte() % 63))
                .wrapping_sub(1),
        ),
        3 => Input::Float(f64::from_bits(
            u64::from(feed.byte()) << 55 | u64::from(feed.byte()) << 48,
        )),
        4 if depth > 0 => {
            let entries = (0..feed.byte() % 8).map(|index| {
                let key = match feed.byte() % 4 {
                    0 => InputKey::Bytes(feed.bytes().into()),
                    1 => InputKey::Bytes(
                        ["host", "port", "weight"][usize::from(feed.byte() % 3)].into(),
                    ),
                    _ => InputKey::Int(index.into()),
                };
                (key, input(feed, depth - 1))
            });
            Input::Array(entries.collect())
        }
        _ => Input::Bytes(feed.bytes().into()),
    }
}
