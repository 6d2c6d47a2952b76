//! The first exchange on a fresh connection: which dialect is spoken at the other end?
//!
//! `mn` and `version` go out together, with nothing before them. memcached answers `MN` (or
//! `ERROR` before 1.6) and its version; twemproxy closes without a byte, mcrouter answers
//! `CLIENT_ERROR` and closes: those are asked again, classic only, on a new connection.
//!
//! Where writes are waiting and nobody waits for them, the first exchange is `version` and the
//! writes themselves, classic: every server and proxy takes those. `mn` is then asked later, alone,
//! at a moment when nothing is due (see [`Connection::begin_probe`](super::Connection::begin_probe)).

use super::{Broken, Dialect, Protocol};
use crate::protocol::number;
use crate::protocol::reply::{ErrorKind, Reply};
use crate::protocol::{classic, meta};

/// The first memcached whose meta commands have today's codes and flags.
pub const META_SINCE: (u64, u64, u64) = (1, 6, 10);

/// What has been heard so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greeting {
    /// `mn` and `version` were asked, nothing heard.
    AwaitNoop,
    /// The version is due; `meta`: `mn` was understood.
    AwaitVersion {
        /// Whether `mn` was answered `MN`.
        meta: bool,
    },
}

impl Greeting {
    /// The question for a fresh connection; `with_noop`: `mn` and all, else the version only.
    pub fn begin(with_noop: bool, wire: &mut Vec<u8>) -> Greeting {
        if with_noop {
            wire.extend_from_slice(meta::NOOP);
        }
        wire.extend_from_slice(classic::VERSION);
        if with_noop {
            Greeting::AwaitNoop
        } else {
            Greeting::AwaitVersion { meta: false }
        }
    }

    /// Takes a reply; the verdict when it is complete, with the version text in `version`.
    ///
    /// # Errors
    /// [`Broken`] when the server refuses to talk, or can't speak `protocol`.
    pub fn hear(
        &mut self,
        reply: Reply<'_>,
        protocol: Protocol,
        version: &mut Vec<u8>,
    ) -> Result<Option<Dialect>, Broken> {
        match (*self, reply) {
            (Greeting::AwaitNoop, Reply::Mn) => *self = Greeting::AwaitVersion { meta: true },
            (Greeting::AwaitNoop, Reply::Error(ErrorKind::Unknown, b"ERROR")) => {
                *self = Greeting::AwaitVersion { meta: false };
            }
            (_, Reply::Error(_, line)) if is_refusal(line) => return Err(Broken::refused(line)),
            (Greeting::AwaitNoop, Reply::Error(ErrorKind::Client, _)) => {
                return Err(Broken::NotMeta);
            }
            (Greeting::AwaitVersion { meta }, Reply::Version(text)) => {
                version.clear();
                version.extend_from_slice(text);
                let dialect = if meta && may_speak_meta(text) {
                    Dialect::Meta
                } else {
                    Dialect::Classic
                };
                if protocol == Protocol::Meta && dialect != Dialect::Meta {
                    return Err(Broken::NotSpoken(Some(
                        String::from_utf8_lossy(text).into(),
                    )));
                }
                return Ok(Some(dialect));
            }
            (_, Reply::Error(_, line)) => return Err(Broken::refused(line)),
            _ => return Err(Broken::Unexpected("in answer to a version request")),
        }
        Ok(None)
    }
}

/// Whether a server that calls its version so speaks meta as it is today, if nothing stands before
/// it: twemproxy passes on what one of its servers says.
pub fn may_speak_meta(version: &[u8]) -> bool {
    parse_version(version).is_some_and(|version| version >= META_SINCE)
}

/// Errors that have nothing to do with what was asked.
fn is_refusal(line: &[u8]) -> bool {
    line.starts_with(b"ERROR ") || line.starts_with(b"CLIENT_ERROR unauthenticated")
}

/// `1.6.18` and the like; text behind the numbers is let pass.
fn parse_version(text: &[u8]) -> Option<(u64, u64, u64)> {
    let mut parts = text.splitn(3, |&b| b == b'.');
    let major = number::parse(parts.next()?)?;
    let minor = number::parse(parts.next()?)?;
    let rest = parts.next()?;
    let digits = rest
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(rest.len());
    Some((major, minor, number::parse(&rest[..digits])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::inbox::Inbox;

    /// The verdict on `answer`, or the error's debug form.
    fn verdict(protocol: Protocol, answer: &str) -> String {
        let mut wire = Vec::new();
        let mut greeting = Greeting::begin(protocol != Protocol::Classic, &mut wire);
        let mut verdict = None;
        let mut version = Vec::new();
        let outcome: Result<(), Broken> =
            Inbox::default().feed(answer.as_bytes(), &mut |reply: Reply<'_>| {
                verdict = greeting.hear(reply, protocol, &mut version)?;
                Ok(())
            });
        match outcome {
            Ok(()) => format!("{verdict:?}"),
            Err(broken) => format!("{broken:?}"),
        }
    }

    #[test]
    fn verdicts() {
        use Protocol::*;
        let meta = "Some(Meta)";
        let classic = "Some(Classic)";
        for (protocol, answer, expected) in [
            (Auto, "MN\r\nVERSION 1.6.18\r\n", meta),
            (Auto, "MN\r\nVERSION 1.6.10\r\n", meta),
            (Auto, "MN\r\nVERSION 1.6.45_5_g1234\r\n", meta),
            (Auto, "MN\r\nVERSION 1.7.0\r\n", meta),
            (Auto, "MN\r\nVERSION 1.6.9\r\n", classic),
            (Auto, "MN\r\nVERSION 1.6.9-proxy\r\n", classic),
            (Auto, "MN\r\nVERSION unknown\r\n", classic),
            (Auto, "ERROR\r\nVERSION 1.5.22\r\n", classic),
            (Auto, "MN\r\n", "None"),
            (Auto, "CLIENT_ERROR malformed request\r\n", "NotMeta"),
            (Meta, "MN\r\nVERSION 1.6.18\r\n", meta),
            (
                Meta,
                "ERROR\r\nVERSION 1.5.22\r\n",
                "NotSpoken(Some(\"1.5.22\"))",
            ),
            (
                Meta,
                "MN\r\nVERSION 1.6.9\r\n",
                "NotSpoken(Some(\"1.6.9\"))",
            ),
            (Classic, "VERSION 1.6.18\r\n", classic),
            (Classic, "VERSION 37.0 mcrouter\r\n", classic),
            (
                Auto,
                "ERROR Too many open connections\r\n",
                "Refused(\"ERROR Too many open connections\")",
            ),
            (
                Auto,
                "CLIENT_ERROR unauthenticated\r\n",
                "Refused(\"CLIENT_ERROR unauthenticated\")",
            ),
            (
                Classic,
                "SERVER_ERROR no\r\n",
                "Refused(\"SERVER_ERROR no\")",
            ),
            (
                Auto,
                "HD\r\n",
                "Unexpected(\"in answer to a version request\")",
            ),
            (
                Classic,
                "MN\r\n",
                "Unexpected(\"in answer to a version request\")",
            ),
        ] {
            assert_eq!(
                verdict(protocol, answer),
                expected,
                "{protocol:?} {answer:?}"
            );
        }
    }
}
