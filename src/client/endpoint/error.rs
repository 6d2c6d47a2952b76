//! What is wrong with an address.

use std::fmt;

use super::{MAX_SOCKET_PATH, MAX_WEIGHT};

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
    /// A socket path with a port other than 0 and 11211.
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
                f.write_str("a socket has no port: write \"/path\" or \"/path:0:weight\"")
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
