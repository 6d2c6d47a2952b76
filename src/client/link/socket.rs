//! The socket under a link, from its first address to its end.

use std::time::{Duration, Instant};

use super::wording::{describe, seconds};
use crate::driver::transport::{Peer, Transport};

/// A socket, if there is one.
#[derive(Debug)]
pub(super) enum Socket {
    None,
    /// On its way; `others`: addresses to try next, last first.
    Connecting {
        transport: Transport,
        others: Vec<Peer>,
        give_up: Instant,
        deadline: Instant,
    },
    Up(Transport),
}

/// What has come of connecting since the last look.
#[derive(Debug)]
pub(super) enum Connecting {
    /// Nothing: it goes on, or was done before, or there is no socket.
    Nothing,
    /// The socket is up.
    Done,
    /// One address did not answer, the next is tried.
    AnotherAddress,
    /// There is no socket any more: why.
    Failed(String),
}

impl Socket {
    /// Begins to connect to the first of some addresses that can be tried (the last of `peers`).
    ///
    /// # Errors
    /// Why none can be.
    pub fn connect(
        mut peers: Vec<Peer>,
        deadline: Instant,
        now: Instant,
    ) -> Result<Socket, String> {
        let mut why = "the name has no address".into();
        while let Some(peer) = peers.pop() {
            match Transport::connect(&peer) {
                Ok(transport) => {
                    // What is left is shared out, so that one dead address leaves time for the rest.
                    let left = deadline.saturating_duration_since(now);
                    return Ok(Socket::Connecting {
                        transport,
                        give_up: now + left / (peers.len() as u32 + 1),
                        others: peers,
                        deadline,
                    });
                }
                Err(error) => why = describe(&error),
            }
        }
        Err(why)
    }

    /// Looks how the connecting goes, for which `limit` was given.
    pub fn finish_connect(&mut self, limit: Duration, now: Instant) -> Connecting {
        let Socket::Connecting {
            transport, give_up, ..
        } = self
        else {
            return Connecting::Nothing;
        };
        let why = match transport.finish_connect() {
            Ok(true) => None,
            Ok(false) if now < *give_up => return Connecting::Nothing,
            Ok(false) => Some(format!("no connection within {}", seconds(limit))),
            Err(error) => Some(describe(&error)),
        };
        let Socket::Connecting {
            transport,
            others,
            deadline,
            ..
        } = std::mem::replace(self, Socket::None)
        else {
            return Connecting::Nothing;
        };
        let Some(why) = why else {
            *self = Socket::Up(transport);
            return Connecting::Done;
        };
        if others.is_empty() {
            return Connecting::Failed(why);
        }
        match Socket::connect(others, deadline, now) {
            Ok(socket) => {
                *self = socket;
                Connecting::AnotherAddress
            }
            Err(why) => Connecting::Failed(why),
        }
    }

    /// The transport, connected or on its way.
    pub fn transport(&self) -> Option<&Transport> {
        match self {
            Socket::None => None,
            Socket::Connecting { transport, .. } | Socket::Up(transport) => Some(transport),
        }
    }
}
