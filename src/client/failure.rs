//! Why a call that waits got no answer.

use std::fmt;

/// For `lastErrorCode()` and exception codes; the numbers are those of MediaWiki's
/// `BagOStuff::ERR_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The server took the question and did not answer in time, or closed.
    NoResponse = 1,
    /// It could not be reached.
    Unreachable = 2,
    /// It answered something else than an answer, or refused to talk.
    Unexpected = 3,
}

/// What PHP throws for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No answer: `WRStats\ConnectionException`.
    Connection,
    /// An error answer: `WRStats\ServerException`.
    Server,
}

/// What an error line of a server's says, without the words that make it one.
pub(super) fn error_text(line: &str) -> &str {
    let text = line.strip_prefix("CLIENT_ERROR ").unwrap_or(line);
    text.strip_prefix("SERVER_ERROR ").unwrap_or(text)
}

/// A call's failure, with the server it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What PHP throws.
    pub kind: Kind,
    /// The exception's code.
    pub code: Code,
    /// As `serverFor()` names it.
    pub server: Box<str>,
    /// Cause and, where there is one, remedy; without the server's name.
    pub message: Box<str>,
}

impl Failure {
    /// No answer from `server`.
    pub fn connection(code: Code, server: &str, message: impl Into<Box<str>>) -> Self {
        Failure {
            kind: Kind::Connection,
            code,
            server: server.into(),
            message: message.into(),
        }
    }

    /// An error answer of `server`.
    pub fn server(server: &str, message: impl Into<Box<str>>) -> Self {
        Failure {
            kind: Kind::Server,
            code: Code::Unexpected,
            server: server.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.server, self.message)
    }
}

impl std::error::Error for Failure {}
