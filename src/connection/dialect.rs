//! Which of memcached's text protocols is to be spoken, and how to find out.

/// Which protocol a connection is to speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Find out.
    #[default]
    Auto,
    /// Meta, or nothing.
    Meta,
    /// Classic, whatever the server knows.
    Classic,
}

/// Which protocol a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Meta commands; reads, and writes that wait, are classic here too.
    Meta,
    /// Classic commands only.
    Classic,
}

impl Dialect {
    /// As `servers()` names it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Meta => "meta",
            Dialect::Classic => "classic",
        }
    }
}

/// How to begin on a fresh transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Ask for the dialect; reads may go out with the question, writes wait for the answer.
    Ask,
    /// Writes go out with the first bytes, in the dialect last heard or else in classic, which
    /// every server takes; meta is asked for later.
    AtOnce,
    /// As [`AtOnce`](Self::AtOnce), and never ask for meta: the last connection was closed on it.
    Classic,
}
