//! Where a server is: the spellings that are accepted, and the one name that it goes by.
//!
//! | written | means |
//! |---|---|
//! | `host`, `10.0.0.1`, `::1`, `[::1]` | TCP, port 11211 |
//! | `host:11212`, `[::1]:11212` | TCP |
//! | `/run/m.sock`, `unix:/run/m.sock`, `unix:///run/m.sock`, `/run/m.sock:0` | unix socket |
//! | `/run/m.sock:11211` | the same, hashed like PECL's `addServer()` does (see below) |
//! | `host:11212:3`, `[::1]:11212:3`, `/run/m.sock:0:3` | the same with weight 3 |
//!
//! `::1:11211` is refused and brackets are asked for: it differs by one digit from another IPv6 address.
//! Hosts stay as they are written, because libmemcached hashes that text to place a server on its ring.
//! Of a socket it hashes the path and port 0 if it came through PECL's `addServers()`, as in MediaWiki, but
//! the path alone if it came through `addServer()`, which pretends to port 11211.

mod error;
mod parse;

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub use error::EndpointError;
pub(super) use parse::names_tls;
use parse::{
    check_bytes, check_scheme, digits_to_i64, is_host_name, is_ipv6, port_number, socket_path,
    split, split_number,
};

/// memcached's registered port; also the one that libmemcached leaves out when it hashes a server.
pub const DEFAULT_PORT: u16 = 11211;
/// Longest path of a unix socket, in bytes: `sun_path` holds 108 with its closing NUL (`unix(7)`).
pub const MAX_SOCKET_PATH: usize = 107;
/// Longest host name, in bytes (RFC 1035, 2.3.4, without the root).
pub const MAX_HOST: usize = 253;
/// Largest weight of a server. With at most [`MAX_SERVERS`](super::config::MAX_SERVERS) servers the sum
/// stays within the 32 bits that libmemcached sums in.
pub const MAX_WEIGHT: u32 = 1_000_000;

/// The address of one server: a TCP host and port, or a unix socket. Can't hold a bad one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    name: Box<[u8]>,
    place: Place,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Place {
    Tcp {
        host: Box<str>,
        port: u16,
    },
    /// The port is not used but hashed: 0, or libmemcached's default.
    Unix {
        port: u16,
    },
}

/// What to connect to, borrowed from an [`Endpoint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address<'a> {
    /// A TCP server.
    Tcp {
        /// A name, an IPv4 address, or an IPv6 address without brackets (a `%scope` may follow it).
        host: &'a str,
        /// 1 to 65535.
        port: u16,
    },
    /// The absolute path of a unix socket.
    Unix(&'a Path),
}

impl Endpoint {
    /// Reads an address without a weight.
    ///
    /// # Errors
    /// Anything but the spellings at the top of this module, less the weights.
    pub fn parse(text: &[u8]) -> Result<Self, EndpointError> {
        match split(text)? {
            (endpoint, None) => Ok(endpoint),
            (_, Some(_)) => Err(EndpointError::WeightInHost),
        }
    }

    /// The name in `servers()`, `serverFor()` and messages: `host:port`, `[v6]:port`, or the path. No
    /// other place has it.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// What to connect to.
    #[must_use]
    pub fn address(&self) -> Address<'_> {
        match &self.place {
            Place::Tcp { host, port } => Address::Tcp { host, port: *port },
            Place::Unix { .. } => Address::Unix(Path::new(OsStr::from_bytes(&self.name))),
        }
    }

    /// The text that libmemcached hashes to place a server on its ring: the host, and the port unless it
    /// is 11211.
    #[must_use]
    pub fn ring_name(&self) -> Vec<u8> {
        let (host, port) = match &self.place {
            Place::Tcp { host, port } => (host.as_bytes(), *port),
            Place::Unix { port } => (&*self.name, *port),
        };
        match port {
            DEFAULT_PORT => host.to_vec(),
            _ => [host, b":", itoa::Buffer::new().format(port).as_bytes()].concat(),
        }
    }

    fn tcp(host: &[u8], port: u16) -> Result<Self, EndpointError> {
        let v6 = is_ipv6(host);
        if !v6 && !is_host_name(host) {
            return Err(EndpointError::Host);
        }
        let host = std::str::from_utf8(host).map_err(|_| EndpointError::Host)?;
        let name = if v6 {
            format!("[{host}]:{port}")
        } else {
            format!("{host}:{port}")
        };
        Ok(Endpoint {
            name: name.into_bytes().into(),
            place: Place::Tcp {
                host: host.into(),
                port,
            },
        })
    }

    fn unix(path: &[u8], port: i64) -> Result<Self, EndpointError> {
        let port = match port {
            0 => 0,
            11211 => DEFAULT_PORT,
            _ => return Err(EndpointError::PathPort),
        };
        if path.len() > MAX_SOCKET_PATH {
            return Err(EndpointError::PathTooLong(path.len()));
        }
        if path.first() != Some(&b'/') || path == b"/" {
            return Err(EndpointError::Path);
        }
        // `/path:5` names no place of its own.
        if split_number(path).is_some() {
            return Err(EndpointError::PathPort);
        }
        Ok(Endpoint {
            name: path.into(),
            place: Place::Unix { port },
        })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(&self.name).fmt(f)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({self})")
    }
}

/// A server of the pool: where it is, and its share of the keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Server {
    endpoint: Endpoint,
    weight: u32,
}

impl Server {
    /// Reads an address, with or without a weight.
    ///
    /// # Errors
    /// Anything but the spellings at the top of this module.
    pub fn parse(text: &[u8]) -> Result<Self, EndpointError> {
        let (endpoint, weight) = split(text)?;
        let weight = match weight {
            None => None,
            Some(digits) => Some(digits_to_i64(digits).ok_or(EndpointError::Weight)?),
        };
        Self::new(endpoint, weight)
    }

    /// The array form `['host' => …, 'port' => …, 'weight' => …]`. The host may be any spelling without
    /// a weight; when a port is given it must not hold another one. A socket takes port 0, 11211 or none.
    ///
    /// # Errors
    /// As [`Server::parse`].
    pub fn from_parts(
        host: &[u8],
        port: Option<i64>,
        weight: Option<i64>,
    ) -> Result<Self, EndpointError> {
        let endpoint = match port {
            None => Endpoint::parse(host)?,
            Some(port) => {
                check_bytes(host)?;
                if let Some(path) = socket_path(host) {
                    Endpoint::unix(path, port)?
                } else {
                    check_scheme(host)?;
                    let bare = host.strip_prefix(b"[").and_then(|h| h.strip_suffix(b"]"));
                    let host = match bare {
                        Some(inner) if is_ipv6(inner) => inner,
                        _ => host,
                    };
                    Endpoint::tcp(host, port_number(Some(port))?)?
                }
            }
        };
        Self::new(endpoint, weight)
    }

    fn new(endpoint: Endpoint, weight: Option<i64>) -> Result<Self, EndpointError> {
        let weight = u32::try_from(weight.unwrap_or(1)).map_err(|_| EndpointError::Weight)?;
        if weight > MAX_WEIGHT {
            return Err(EndpointError::Weight);
        }
        // What libmemcached makes of it, so that mappings stay equal.
        Ok(Server {
            endpoint,
            weight: weight.max(1),
        })
    }

    /// Where it is.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Its share beside the other servers' weights, 1 to [`MAX_WEIGHT`]; a 0 given counts as 1, as in
    /// libmemcached. Only `ketama` heeds it.
    #[must_use]
    pub fn weight(&self) -> u32 {
        self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tcp(host: &str, port: u16) -> Address<'_> {
        Address::Tcp { host, port }
    }

    #[test]
    fn spellings() {
        let sock = Address::Unix(Path::new("/run/m.sock"));
        #[rustfmt::skip]
        let cases = [
            ("127.0.0.1:11211", tcp("127.0.0.1", 11211), "127.0.0.1:11211", 1),
            ("Cache1", tcp("Cache1", 11211), "Cache1:11211", 1),
            ("cache_1.example:1", tcp("cache_1.example", 1), "cache_1.example:1", 1),
            ("unix:65535", tcp("unix", 65535), "unix:65535", 1),
            ("h:011211:0", tcp("h", 11211), "h:11211", 1),
            ("h:11212:3", tcp("h", 11212), "h:11212", 3),
            ("h:1:1000000", tcp("h", 1), "h:1", 1_000_000),
            ("[::1]:11212", tcp("::1", 11212), "[::1]:11212", 1),
            ("[::1]:11212:7", tcp("::1", 11212), "[::1]:11212", 7),
            ("[::1]", tcp("::1", 11211), "[::1]:11211", 1),
            ("::1", tcp("::1", 11211), "[::1]:11211", 1),
            ("::", tcp("::", 11211), "[::]:11211", 1),
            ("2001:db8::1", tcp("2001:db8::1", 11211), "[2001:db8::1]:11211", 1),
            ("1:2:3:4:5:6:7:8", tcp("1:2:3:4:5:6:7:8", 11211), "[1:2:3:4:5:6:7:8]:11211", 1),
            ("[fe80::1%lo]:5", tcp("fe80::1%lo", 5), "[fe80::1%lo]:5", 1),
            ("fe80::1%lo", tcp("fe80::1%lo", 11211), "[fe80::1%lo]:11211", 1),
            ("caf\u{e9}", tcp("caf\u{e9}", 11211), "caf\u{e9}:11211", 1),
            ("/run/m.sock", sock, "/run/m.sock", 1),
            ("/run/m.sock:0", sock, "/run/m.sock", 1),
            ("/run/m.sock:0:9", sock, "/run/m.sock", 9),
            ("unix:/run/m.sock", sock, "/run/m.sock", 1),
            ("unix:///run/m.sock", sock, "/run/m.sock", 1),
            ("unix:///run/m.sock:0:2", sock, "/run/m.sock", 2),
            ("/a:b@c://d", Address::Unix(Path::new("/a:b@c://d")), "/a:b@c://d", 1),
        ];
        for (text, address, name, weight) in cases {
            let server =
                Server::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(server.endpoint().address(), address, "{text}");
            assert_eq!(server.endpoint().name(), name.as_bytes(), "{text}");
            assert_eq!(server.weight(), weight, "{text}");
        }
    }

    #[test]
    fn refused() {
        use EndpointError as E;
        let long = format!("/{}", "s".repeat(107));
        let long_host = "h".repeat(254);
        #[rustfmt::skip]
        let cases = [
            ("", E::Empty),
            ("a b", E::Byte { byte: b' ', at: 1 }),
            ("h:1\r\n", E::Byte { byte: b'\r', at: 3 }),
            ("/run/\0", E::Byte { byte: 0, at: 5 }),
            ("h\x7f", E::Byte { byte: 0x7f, at: 1 }),
            ("::1:11211", E::Unbracketed { port: "[::1]:11211".into(), address: None }),
            ("fe80::1%lo:1", E::Unbracketed { port: "[fe80::1%lo]:1".into(), address: None }),
            ("::1:80", E::Unbracketed { port: "[::1]:80".into(), address: Some("[::1:80]".into()) }),
            ("::1:80:5", E::Unbracketed { port: "[::1:80]:5".into(), address: Some("[::1:80:5]".into()) }),
            ("::1:11211:5", E::Colons),
            ("a:1:2:3", E::Colons),
            ("[::1]:1:2:3", E::Colons),
            ("[h]:1", E::Brackets),
            ("[::1", E::Brackets),
            ("[::1]11211", E::Brackets),
            (":11211", E::Host),
            ("11211", E::Host),
            ("a/b:1", E::Host),
            ("a,b", E::Host),
            (&long_host, E::Host),
            ("h:", E::Port),
            ("h:0", E::Port),
            ("h:65536", E::Port),
            ("h:+1", E::Port),
            ("h:99999999999999999999", E::Port),
            ("h:1:", E::Weight),
            ("h:1:-1", E::Weight),
            ("h:1:1000001", E::Weight),
            ("/", E::Path),
            ("unix://run/m.sock", E::Path),
            ("/run/m.sock:11212", E::PathPort),
            ("/run/m.sock:1:2", E::PathPort),
            (&long, E::PathTooLong(108)),
            ("user:secret@h:1", E::Credentials),
            ("tls://h:1", E::Tls),
            ("memcached+TLS://h:1", E::Tls),
            ("tcp://h:1", E::Scheme),
        ];
        for (text, error) in cases {
            assert_eq!(Server::parse(text.as_bytes()), Err(error), "{text}");
        }
        assert_eq!(Server::parse(b"caf\xe9"), Err(E::Host));
        assert_eq!(Endpoint::parse(b"h:1:2"), Err(E::WeightInHost));
    }

    /// Seen in PECL's server lists and in which keys they get (`tests/server/ring_pecl.rs`).
    #[test]
    fn names_that_libmemcached_hashes() {
        #[rustfmt::skip]
        let cases = [
            ("cache1", "cache1"),
            ("cache1:11212", "cache1:11212"),
            ("[::1]:11211", "::1"),
            ("[::1]:5", "::1:5"),
            ("/run/m.sock", "/run/m.sock:0"),
            ("/run/m.sock:11211:4", "/run/m.sock"),
        ];
        for (text, name) in cases {
            let server = Server::parse(text.as_bytes()).unwrap();
            assert_eq!(server.endpoint().ring_name(), name.as_bytes());
        }
    }

    #[test]
    fn array_form() {
        use EndpointError as E;
        #[rustfmt::skip]
        let cases = [
            ("h", None, None, Ok(("h:11211", 1))),
            ("h:5", None, Some(2), Ok(("h:5", 2))),
            ("h", Some(5), Some(0), Ok(("h:5", 1))),
            ("::1", Some(5), None, Ok(("[::1]:5", 1))),
            ("[::1]", Some(5), None, Ok(("[::1]:5", 1))),
            ("::1:2", Some(5), None, Ok(("[::1:2]:5", 1))),
            ("/run/m.sock", Some(0), None, Ok(("/run/m.sock", 1))),
            ("unix:///run/m.sock", None, Some(4), Ok(("/run/m.sock", 4))),
            ("h:5", Some(5), None, Err(E::Host)),
            ("h:5:1", None, None, Err(E::WeightInHost)),
            ("h", Some(0), None, Err(E::Port)),
            ("h", Some(-1), None, Err(E::Port)),
            ("h", Some(65_536), None, Err(E::Port)),
            ("h", None, Some(-1), Err(E::Weight)),
            ("h", None, Some(1 << 40), Err(E::Weight)),
            ("/run/m.sock", Some(11211), None, Ok(("/run/m.sock", 1))),
            ("/run/m.sock", Some(11212), None, Err(E::PathPort)),
            ("/run/m.sock:5", Some(0), None, Err(E::PathPort)),
            ("me@h", Some(5), None, Err(E::Credentials)),
            ("", Some(5), None, Err(E::Empty)),
        ];
        for (host, port, weight, expected) in cases {
            let server = Server::from_parts(host.as_bytes(), port, weight);
            let got = server
                .as_ref()
                .map(|server| (server.endpoint().name(), server.weight()));
            assert_eq!(
                got,
                expected
                    .as_ref()
                    .map(|(name, weight)| (name.as_bytes(), *weight)),
                "{host}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read_back(text in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "[a-c0-2:/%@\\[\\].]{0,24}".prop_map(String::into_bytes),
        ]) {
            if let Ok(server) = Server::parse(&text) {
                let again = Endpoint::parse(server.endpoint().name()).unwrap();
                prop_assert_eq!(again.name(), server.endpoint().name());
                prop_assert_eq!(again.address(), server.endpoint().address());
                prop_assert!((1..=MAX_WEIGHT).contains(&server.weight()));
            }
        }
    }
}
