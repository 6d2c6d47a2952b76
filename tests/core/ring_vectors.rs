//! Which servers PECL memcached (php-memcached 3.2.0 on libmemcached 1.1.4) puts 10,000 keys on.
//!
//! `tests/core/ring.rs` holds our ring against it; `tests/server/ring_pecl.rs` holds it against the
//! PECL that is installed.

use wrstats::client::config::Distribution::{self, Ketama, Modula};

/// What PECL answered for one set of servers.
pub struct Vector {
    /// The mapping.
    pub distribution: Distribution,
    /// The servers, with spaces between them.
    pub servers: &'static str,
    /// The servers of the first 40 keys, as digits to base 36.
    pub first: &'static str,
    /// MD5 of all keys' servers, each as one byte.
    pub sum: &'static str,
}

/// Keys as sites have them, every fifth with bytes from 0x80 up, lengths from 1 to 250.
pub fn keys() -> Vec<Vec<u8>> {
    let key = |at: usize| match (at, at % 5) {
        (0, _) => b"z".to_vec(),
        (1, _) => vec![b'k'; 250],
        (2, _) => vec![0xff; 250],
        (_, 0) => format!("caf\u{e9}:\u{2615}:{at}").into_bytes(),
        (_, 1) => format!("enwiki:{}:{at}", "x".repeat(at % 200)).into_bytes(),
        (_, 2) => at.to_string().into_bytes(),
        _ => format!("local:WRStats:hits::{at}").into_bytes(),
    };
    (0..10_000).map(key).collect()
}

const THIRTY: &str = "\
    10.0.0.0:11300:1 10.0.1.7:11211:2 10.0.2.14:11211:5 10.0.3.21:11303:10 \
    10.0.4.28:11211:6 10.0.5.35:11211:4 10.0.6.42:11306:4 10.0.7.49:11211:6 \
    10.0.8.56:11211:10 10.0.9.63:11309:5 10.0.10.70:11211:2 10.0.11.77:11211:1 \
    10.0.12.84:11312:2 10.0.13.91:11211:5 10.0.14.98:11211:10 10.0.15.105:11315:6 \
    10.0.16.112:11211:4 10.0.17.119:11211:4 10.0.18.126:11318:6 10.0.19.133:11211:10 \
    10.0.20.140:11211:5 10.0.21.147:11321:2 10.0.22.154:11211:1 10.0.23.161:11211:2 \
    10.0.24.168:11324:5 10.0.25.175:11211:10 10.0.26.182:11211:6 10.0.27.189:11327:4 \
    10.0.28.196:11211:4 10.0.29.203:11211:6";

/// The sets and their answers.
pub const VECTORS: &[Vector] = &[
    Vector {
        distribution: Ketama,
        servers: "127.0.0.1:11211 127.0.0.1:11212 127.0.0.1:11213",
        first: "2222201011120120201200112200202200220201",
        sum: "8e8e6b3c554e2277fbfc8a89ec822cd8",
    },
    Vector {
        distribution: Ketama,
        servers: "cache1 cache2 cache3 cache4",
        first: "1220233002022133011311310030212023033221",
        sum: "11cf2b4d67d32d174f9dbfa18b671c2e",
    },
    Vector {
        distribution: Ketama,
        servers: "10.0.0.1:11211:1 10.0.0.2:11211:3 10.0.0.3:11212:10",
        first: "2122122122222221222102212012222202111202",
        sum: "3f5061f90ab6290ea090b97912b03f17",
    },
    Vector {
        distribution: Ketama,
        servers: "/run/a.sock /run/b.sock:0:2 /run/c.sock",
        first: "1122122102112121020111211111000222102111",
        sum: "61ac8b12832affa0c1c41cb70c52e815",
    },
    Vector {
        distribution: Ketama,
        servers: "/run/a.sock:11211 /run/b.sock:11211:2 /run/c.sock:11211",
        first: "1111010100111112111221001012101101002111",
        sum: "9efc82725683823f046a523420379482",
    },
    Vector {
        distribution: Ketama,
        servers: "[::1]:11211 [::1]:11212 [2001:db8::5]:11211:7",
        first: "2220222122210220221222122222222221120220",
        sum: "48c6547275e86274f930668e67fa15b9",
    },
    Vector {
        distribution: Ketama,
        servers: "café1 café2:11212 mixed.Case_3:1",
        first: "2002011101110120200210211121200210010210",
        sum: "f71922a97792ce930c5f07913308c3f5",
    },
    Vector {
        distribution: Ketama,
        servers: "a:1:1000000 b:1:1 c:1:500",
        first: "0000000000000000000000000000000000000000",
        sum: "b85d6fb9ef4260dcf1ce0a1b0bff80d3",
    },
    Vector {
        distribution: Ketama,
        servers: THIRTY,
        first: "prs43p48pp4plp98geecs7f7io92a12kstl74kf8",
        sum: "3b3f4d74a0087692fd8dbb110f8facd8",
    },
    Vector {
        distribution: Modula,
        servers: "127.0.0.1:11211 127.0.0.1:11212 127.0.0.1:11213",
        first: "1111122022101011010012211212100122022200",
        sum: "1e80ade9823e584d12c81942708bcd6a",
    },
    Vector {
        distribution: Modula,
        servers: "cache1:11211:9 /run/b.sock:0:5",
        first: "0001001010000100100100000110001110111011",
        sum: "f8395b9615376b2cfaad4fe6a737603a",
    },
    Vector {
        distribution: Modula,
        servers: THIRTY,
        first: "4gm74qh6t84ia34mlmila8ea4hd2s6r7nq95nklr",
        sum: "94d47d25a7255ab1ab11fc0927c3e758",
    },
];
