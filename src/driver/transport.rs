//! Non-blocking stream sockets, TCP and unix.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, sockopt,
};

/// Where to connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    /// TCP.
    Tcp(SocketAddr),
    /// The path of a unix socket.
    Unix(Box<[u8]>),
}

/// How long sent bytes may go without an acknowledgement, in milliseconds: a host that has vanished without
/// a word would otherwise be believed in for a quarter of an hour by whoever only writes.
const UNACKNOWLEDGED_MS: u32 = 20_000;

/// One socket. Dropping it closes it and nothing more: a forked child lets go of its parent's
/// connection without the server's noticing.
#[derive(Debug)]
pub struct Transport(OwnedFd);

/// What a read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// So many bytes.
    Bytes(usize),
    /// Nothing yet.
    Nothing,
    /// The other side has closed.
    End,
}

impl Transport {
    /// Begins to connect. Whether that has worked is told by [`finish_connect`](Self::finish_connect).
    ///
    /// # Errors
    /// What the system says; the address may be of no use.
    pub fn connect(peer: &Peer) -> io::Result<Transport> {
        let family = match peer {
            Peer::Tcp(SocketAddr::V4(_)) => AddressFamily::INET,
            Peer::Tcp(SocketAddr::V6(_)) => AddressFamily::INET6,
            Peer::Unix(_) => AddressFamily::UNIX,
        };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let fd = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
        let outcome = match peer {
            Peer::Tcp(address) => {
                // With Nagle's algorithm a read behind a write waits 40 ms for its turn.
                sockopt::set_tcp_nodelay(&fd, true)?;
                sockopt::set_socket_keepalive(&fd, true)?;
                sockopt::set_tcp_user_timeout(&fd, UNACKNOWLEDGED_MS)?;
                rustix::net::connect(&fd, address)
            }
            Peer::Unix(path) => {
                let path = std::ffi::OsStr::from_bytes(path);
                rustix::net::connect(&fd, &SocketAddrUnix::new(path)?)
            }
        };
        match outcome {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Transport(fd)),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Whether the connection is made.
    ///
    /// # Errors
    /// Why it could not be.
    pub fn finish_connect(&self) -> io::Result<bool> {
        let mut polled = [PollFd::new(&self.0, PollFlags::OUT)];
        match rustix::event::poll(&mut polled, Some(&Default::default())) {
            // A signal: the answer comes with the next look.
            Ok(0) | Err(Errno::INTR) => return Ok(false),
            Ok(_) => {}
            Err(errno) => return Err(errno.into()),
        }
        sockopt::socket_error(&self.0)??;
        Ok(true)
    }

    /// Whether the other side has closed, though bytes may still be there to read.
    pub fn has_hung_up(&self) -> bool {
        let mut polled = [PollFd::new(&self.0, PollFlags::RDHUP)];
        let ready = rustix::event::poll(&mut polled, Some(&Default::default()));
        ready.is_ok_and(|ready| ready > 0)
    }

    /// Hands bytes to the kernel; how many it took, 0 when its buffer is full.
    ///
    /// # Errors
    /// The connection is gone.
    pub fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::net::send(&self.0, bytes, SendFlags::NOSIGNAL) {
                Ok(n) => return Ok(n),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(0),
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// Takes what has come.
    ///
    /// # Errors
    /// The connection is gone.
    pub fn recv(&self, into: &mut [u8]) -> io::Result<Received> {
        loop {
            match rustix::net::recv(&self.0, &mut *into, RecvFlags::empty()) {
                Ok((0, _)) => return Ok(Received::End),
                Ok((n, _)) => return Ok(Received::Bytes(n)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Received::Nothing),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl AsFd for Transport {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vanished_host_is_given_up() {
        // That the kernel keeps to it was seen with a link taken down: "connection timed out" after 20.5 s.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = Peer::Tcp(listener.local_addr().unwrap());
        let Transport(fd) = Transport::connect(&peer).unwrap();
        assert_eq!(sockopt::tcp_user_timeout(&fd).unwrap(), UNACKNOWLEDGED_MS);
    }
}
