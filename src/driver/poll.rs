//! Waiting for many sockets with one deadline.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::transport::Transport;

/// What to wait for on a socket.
#[derive(Clone, Copy, Debug)]
pub struct Interest<'a> {
    /// The socket.
    pub transport: &'a Transport,
    /// Until bytes have come.
    pub readable: bool,
    /// Until bytes can be sent (or a connection is made).
    pub writable: bool,
}

/// Waits until one of the sockets is ready or closed, or `deadline` has passed. A signal does
/// not end the wait.
///
/// # Errors
/// What the system says (out of memory, too many descriptors).
pub fn wait(interests: &[Interest<'_>], deadline: Instant) -> io::Result<()> {
    let mut polled: Vec<PollFd<'_>> = interests
        .iter()
        .map(|interest| {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN | PollFlags::RDHUP, interest.readable);
            flags.set(PollFlags::OUT, interest.writable);
            PollFd::new(interest.transport, flags)
        })
        .collect();
    loop {
        let left = deadline.saturating_duration_since(super::clock::now());
        match rustix::event::poll(&mut polled, Some(&timespec(left))) {
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
            Ok(_) => return Ok(()),
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs().min(1 << 30) as i64,
        tv_nsec: duration.subsec_nanos().into(),
    }
}
