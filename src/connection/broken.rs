//! What ends a connection.

use crate::protocol::reply::Malformed;

/// Why a connection has to be thrown away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The server does not know `mn`: ask again, classic only.
    NotMeta,
    /// `protocol=meta` was demanded of a server (of this version, if it told) that lacks it.
    NotSpoken(Option<String>),
    /// The server refuses to talk: its error line.
    Refused(String),
    /// A well-formed reply, but not one that was due (completes "a reply …").
    Unexpected(&'static str),
    /// Bytes that are no reply.
    Malformed(Malformed),
}

impl Broken {
    pub(super) fn refused(line: &[u8]) -> Broken {
        Broken::Refused(String::from_utf8_lossy(line).into())
    }
}

impl From<Malformed> for Broken {
    fn from(malformed: Malformed) -> Self {
        Broken::Malformed(malformed)
    }
}
