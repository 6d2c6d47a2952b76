//! Where a server is: the spellings that are accepted, and the one name that it goes by.
//!
//! | written | means |
//! |---|---|
//! | `host`, `10.0.0.1`, `::1`, `[::1]` | TCP, port 11211 |
//! | `host:11212`, `[::1]:11212` | TCP |
//! | `/run/m.sock`, `unix:/run/m.sock`, `unix:///run/m.sock`, `/run/m.sock:0` | unix socket |
//! | `host:11212:3`, `[::1]:11212:3`, `/run/m.sock:0:3` | the same with weight 3 |
//!
//! `::1:11211` is refused: `::1:1121` would be another address, so brackets are asked for. Hosts stay as they are written, because
//! libmemcached hashes that text to place a server on its ring.

use std::ffi::OsStr;
use std::fmt;
use std::net::Ipv6Addr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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
    Tcp { host: Box<str>, port: u16 },
    Unix,
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

    /// The name in `servers()`, `serverFor()` and messages: `host:port`, `[v6]:port`, or the path.
    /// [`Endpoint::parse`] reads it back.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// What to connect to.
    #[must_use]
    pub fn address(&self) -> Address<'_> {
        match &self.place {
            Place::Tcp { host, port } => Address::Tcp { host, port: *port },
            Place::Unix => Address::Unix(Path::new(OsStr::from_bytes(&self.name))),
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

    fn unix(path: &[u8]) -> Result<Self, EndpointError> {
        if path.len() > MAX_SOCKET_PATH {
            return Err(EndpointError::PathTooLong(path.len()));
        }
        if path.first() != Some(&b'/') || path == b"/" {
            return Err(EndpointError::Path);
        }
        // `/path:5` would not read back as what it names.
        if split_number(path).is_some() {
            return Err(EndpointError::PathPort);
        }
        Ok(Endpoint {
            name: path.into(),
            place: Place::Unix,
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
    /// a weight; when a port is given it must not hold another one. A socket takes port 0 or none.
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
                    if port != 0 {
                        return Err(EndpointError::PathPort);
                    }
                    Endpoint::unix(path)?
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

/// Why an address was refused. The text says what to write; it holds none of what was given except
/// where that is known to be an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointError {
    /// Nothing was given.
    Empty,
    /// A space, a control character or DEL.
    Byte {
        /// The byte.
        byte: u8,
        /// Its position, from 0.
        at: usize,
    },
    /// An IPv6 address followed by a port, without brackets.
    Unbracketed {
        /// How to write address and port.
        port: String,
        /// How to write the whole of it as an address, if it is one as well.
        address: Option<String>,
    },
    /// More colons than `host:port:weight` has, and no IPv6 address.
    Colons,
    /// Brackets around something else than an IPv6 address, or text behind them.
    Brackets,
    /// No name and no IP address.
    Host,
    /// No number from 1 to 65535.
    Port,
    /// No number from 0 to [`MAX_WEIGHT`].
    Weight,
    /// A weight inside `host`, where another key holds it.
    WeightInHost,
    /// A socket path that doesn't begin with `/`, or is nothing more.
    Path,
    /// A socket path with a port other than 0.
    PathPort,
    /// A socket path of more than [`MAX_SOCKET_PATH`] bytes; its length.
    PathTooLong(usize),
    /// `user@` or `user:password@`.
    Credentials,
    /// A scheme that asks for TLS.
    Tls,
    /// Any other scheme.
    Scheme,
}

impl std::error::Error for EndpointError {}

impl fmt::Display for EndpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::Byte { byte, at } => {
                write!(
                    f,
                    "byte 0x{byte:02x} at position {at} can't be part of an address"
                )
            }
            Self::Unbracketed {
                port,
                address: None,
            } => {
                write!(f, "an IPv6 address with a port is written \"{port}\"")
            }
            Self::Unbracketed {
                port,
                address: Some(address),
            } => {
                write!(
                    f,
                    "it can be read in two ways: write \"{port}\" or \"{address}\""
                )
            }
            Self::Colons => f.write_str(
                "too many colons: an IPv6 address with a port is written \"[address]:port\"",
            ),
            Self::Brackets => f.write_str("brackets go around an IPv6 address: \"[::1]:11211\""),
            Self::Host => f.write_str("the host is neither a name nor an IP address"),
            Self::Port => f.write_str("the port must be a number from 1 to 65535"),
            Self::Weight => write!(f, "the weight must be a number from 0 to {MAX_WEIGHT}"),
            Self::WeightInHost => f.write_str("the weight has its own key, 'weight'"),
            Self::Path => f.write_str("the path of a socket must begin with \"/\""),
            Self::PathPort => {
                f.write_str("a socket has no port: write \"/path\", or \"/path:0:weight\"")
            }
            Self::PathTooLong(len) => {
                write!(
                    f,
                    "the path of a socket is at most {MAX_SOCKET_PATH} bytes, this one has {len}"
                )
            }
            Self::Credentials => f.write_str("user names and passwords are not supported"),
            Self::Tls => f.write_str("TLS is not supported"),
            Self::Scheme => f.write_str("it has a scheme: write \"host:port\" or \"/path\""),
        }
    }
}

/// The address in `text`, and the digits of its weight.
fn split(text: &[u8]) -> Result<(Endpoint, Option<&[u8]>), EndpointError> {
    check_bytes(text)?;
    if let Some(path) = socket_path(text) {
        return match split_number(path) {
            None => Ok((Endpoint::unix(path)?, None)),
            Some((path, b"0")) => Ok((Endpoint::unix(path)?, None)),
            Some((path, weight)) => match split_number(path) {
                Some((path, b"0")) => Ok((Endpoint::unix(path)?, Some(weight))),
                _ => Err(EndpointError::PathPort),
            },
        };
    }
    check_scheme(text)?;
    let (host, rest) = if let Some(inner) = text.strip_prefix(b"[") {
        let close = memchr::memchr(b']', inner).ok_or(EndpointError::Brackets)?;
        let (host, rest) = (&inner[..close], &inner[close + 1..]);
        if !is_ipv6(host) || !matches!(rest.first(), None | Some(b':')) {
            return Err(EndpointError::Brackets);
        }
        (host, rest.strip_prefix(b":"))
    } else if let Some((host, port)) = split_number(text)
        && is_ipv6(host)
    {
        let whole = is_ipv6(text);
        let [text, host, port] = [text, host, port].map(|part| String::from_utf8_lossy(part));
        return Err(EndpointError::Unbracketed {
            port: format!("[{host}]:{port}"),
            address: whole.then(|| format!("[{text}]")),
        });
    } else if is_ipv6(text) {
        (text, None)
    } else {
        match memchr::memchr(b':', text) {
            None => (text, None),
            Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
        }
    };
    let Some(rest) = rest else {
        return Ok((Endpoint::tcp(host, DEFAULT_PORT)?, None));
    };
    let mut numbers = rest.split(|&byte| byte == b':');
    let (port, weight) = (numbers.next().unwrap_or_default(), numbers.next());
    if numbers.next().is_some() {
        return Err(EndpointError::Colons);
    }
    Ok((
        Endpoint::tcp(host, port_number(digits_to_i64(port))?)?,
        weight,
    ))
}

fn check_bytes(text: &[u8]) -> Result<(), EndpointError> {
    if text.is_empty() {
        return Err(EndpointError::Empty);
    }
    match text.iter().position(|&byte| byte <= b' ' || byte == 0x7f) {
        Some(at) => Err(EndpointError::Byte { byte: text[at], at }),
        None => Ok(()),
    }
}

/// The path, if `text` is one of the spellings of a socket.
fn socket_path(text: &[u8]) -> Option<&[u8]> {
    if text.starts_with(b"/") {
        return Some(text);
    }
    if let Some(path) = text.strip_prefix(b"unix://") {
        return Some(path);
    }
    // `unix:11211` is a host of that name.
    text.strip_prefix(b"unix:")
        .filter(|path| path.starts_with(b"/"))
}

fn check_scheme(text: &[u8]) -> Result<(), EndpointError> {
    if text.contains(&b'@') {
        return Err(EndpointError::Credentials);
    }
    match memchr::memmem::find(text, b"://") {
        None => Ok(()),
        Some(end) if names_tls(&text[..end]) => Err(EndpointError::Tls),
        Some(_) => Err(EndpointError::Scheme),
    }
}

/// Whether a scheme stands for TLS in one of the ways users of memcached write it.
pub(super) fn names_tls(scheme: &[u8]) -> bool {
    [
        &b"tls"[..],
        b"ssl",
        b"memcacheds",
        b"memcached+tls",
        b"memcached+ssl",
    ]
    .iter()
    .any(|name| scheme.eq_ignore_ascii_case(name))
}

/// `(before, digits)` of text that ends in `:digits`.
fn split_number(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memrchr(b':', text)?;
    let digits = &text[colon + 1..];
    let number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    number.then_some((&text[..colon], digits))
}

/// A decimal number without a sign, of at most 18 digits.
fn digits_to_i64(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        digits
            .iter()
            .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')),
    )
}

fn port_number(port: Option<i64>) -> Result<u16, EndpointError> {
    match port.map(u16::try_from) {
        Some(Ok(port)) if port > 0 => Ok(port),
        _ => Err(EndpointError::Port),
    }
}

/// An IPv6 address, with or without a scope such as `%eth0`.
fn is_ipv6(host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else {
        return false;
    };
    let (address, scope) = match host.split_once('%') {
        None => (host, "lo"),
        Some(parts) => parts,
    };
    let scope_fits = !scope.is_empty()
        && scope
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    scope_fits && address.parse::<Ipv6Addr>().is_ok()
}

/// Bytes that host names are made of; whether the name exists is the resolver's word.
fn is_host_name(host: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte) || *byte >= 0x80;
    !host.is_empty() && host.len() <= MAX_HOST && host.iter().all(fits)
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
        for (text, address, name, weight) in [
            (
                "127.0.0.1:11211",
                tcp("127.0.0.1", 11211),
                "127.0.0.1:11211",
                1,
            ),
            ("Cache1", tcp("Cache1", 11211), "Cache1:11211", 1),
            (
                "cache_1.example:1",
                tcp("cache_1.example", 1),
                "cache_1.example:1",
                1,
            ),
            ("unix:65535", tcp("unix", 65535), "unix:65535", 1),
            ("h:011211:0", tcp("h", 11211), "h:11211", 1),
            ("h:11212:3", tcp("h", 11212), "h:11212", 3),
            ("h:1:1000000", tcp("h", 1), "h:1", 1_000_000),
            ("[::1]:11212", tcp("::1", 11212), "[::1]:11212", 1),
            ("[::1]:11212:7", tcp("::1", 11212), "[::1]:11212", 7),
            ("[::1]", tcp("::1", 11211), "[::1]:11211", 1),
            ("::1", tcp("::1", 11211), "[::1]:11211", 1),
            ("::", tcp("::", 11211), "[::]:11211", 1),
            (
                "2001:db8::1",
                tcp("2001:db8::1", 11211),
                "[2001:db8::1]:11211",
                1,
            ),
            (
                "1:2:3:4:5:6:7:8",
                tcp("1:2:3:4:5:6:7:8", 11211),
                "[1:2:3:4:5:6:7:8]:11211",
                1,
            ),
            ("[fe80::1%lo]:5", tcp("fe80::1%lo", 5), "[fe80::1%lo]:5", 1),
            (
                "fe80::1%lo",
                tcp("fe80::1%lo", 11211),
                "[fe80::1%lo]:11211",
                1,
            ),
            ("caf\u{e9}", tcp("caf\u{e9}", 11211), "caf\u{e9}:11211", 1),
            ("/run/m.sock", sock, "/run/m.sock", 1),
            ("/run/m.sock:0", sock, "/run/m.sock", 1),
            ("/run/m.sock:0:9", sock, "/run/m.sock", 9),
            ("unix:/run/m.sock", sock, "/run/m.sock", 1),
            ("unix:///run/m.sock", sock, "/run/m.sock", 1),
            ("unix:///run/m.sock:0:2", sock, "/run/m.sock", 2),
            (
                "/a:b@c://d",
                Address::Unix(Path::new("/a:b@c://d")),
                "/a:b@c://d",
                1,
            ),
        ] {
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
        for (text, error) in [
            ("", E::Empty),
            ("a b", E::Byte { byte: b' ', at: 1 }),
            ("h:1\r\n", E::Byte { byte: b'\r', at: 3 }),
            ("/run/\0", E::Byte { byte: 0, at: 5 }),
            ("h\x7f", E::Byte { byte: 0x7f, at: 1 }),
            (
                "::1:11211",
                E::Unbracketed {
                    port: "[::1]:11211".into(),
                    address: None,
                },
            ),
            (
                "fe80::1%lo:1",
                E::Unbracketed {
                    port: "[fe80::1%lo]:1".into(),
                    address: None,
                },
            ),
            (
                "::1:80",
                E::Unbracketed {
                    port: "[::1]:80".into(),
                    address: Some("[::1:80]".into()),
                },
            ),
            (
                "::1:80:5",
                E::Unbracketed {
                    port: "[::1:80]:5".into(),
                    address: Some("[::1:80:5]".into()),
                },
            ),
            ("::1:11211:5", E::Colons),
            ("a:1:2:3", E::Colons),
            ("[::1]:1:2:3", E::Colons),
            ("[h]:1", E::Brackets),
            ("[::1", E::Brackets),
            ("[::1]11211", E::Brackets),
            (":11211", E::Host),
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
            ("/run/m.sock:11211", E::PathPort),
            ("/run/m.sock:1:2", E::PathPort),
            (&long, E::PathTooLong(108)),
            ("user:secret@h:1", E::Credentials),
            ("tls://h:1", E::Tls),
            ("memcached+TLS://h:1", E::Tls),
            ("tcp://h:1", E::Scheme),
        ] {
            assert_eq!(Server::parse(text.as_bytes()), Err(error), "{text}");
        }
        assert_eq!(Server::parse(b"caf\xe9"), Err(E::Host));
        assert_eq!(Endpoint::parse(b"h:1:2"), Err(E::WeightInHost));
    }

    #[test]
    fn array_form() {
        use EndpointError as E;
        for (host, port, weight, expected) in [
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
            ("/run/m.sock", Some(11211), None, Err(E::PathPort)),
            ("/run/m.sock:5", Some(0), None, Err(E::PathPort)),
            ("me@h", Some(5), None, Err(E::Credentials)),
            ("", Some(5), None, Err(E::Empty)),
        ] {
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
                prop_assert_eq!(Endpoint::parse(server.endpoint().name()), Ok(server.endpoint().clone()));
                prop_assert!((1..=MAX_WEIGHT).contains(&server.weight()));
            }
        }
    }
}
