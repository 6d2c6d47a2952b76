//! A relay in front of a real server, for what happens to bytes on their way.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use super::fake::Fake;

/// What becomes of a piece of the server's replies: how long it is held back; `None`: it is cut off there.
pub type Fate = Arc<dyn Fn() -> Option<Duration> + Send + Sync>;

/// A relay to `upstream` that asks `fate` about every piece of reply.
pub fn relay(upstream: &str, fate: Fate) -> Fake {
    cutting_relay(upstream, usize::MAX, fate)
}

/// The same, that hands on what the client sends in pieces of random size, `most` bytes at most, so that the server
/// often answers what came first before the rest is there.
pub fn cutting_relay(upstream: &str, most: usize, fate: Fate) -> Fake {
    let upstream = upstream.to_string();
    Fake::scripted(move |_, client| {
        let Ok(server) = TcpStream::connect(&upstream) else {
            return;
        };
        server.set_nodelay(true).unwrap();
        let (mut from_client, mut to_server) =
            (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || {
            let at_once = || Some(Duration::ZERO);
            pass(&mut from_client, &mut to_server, most, at_once);
        });
        let (mut from_server, mut to_client) = (server, client);
        pass(&mut from_server, &mut to_client, usize::MAX, || fate());
    })
}

fn pass(
    from: &mut TcpStream,
    to: &mut TcpStream,
    most: usize,
    fate: impl Fn() -> Option<Duration>,
) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        let Some(delay) = fate() else {
            break;
        };
        std::thread::sleep(delay);
        let mut left = &buffer[..n];
        while !left.is_empty() {
            let size = if left.len() < most {
                left.len()
            } else {
                fastrand::usize(1..=most)
            };
            let (piece, later) = left.split_at(size);
            if to.write_all(piece).is_err() {
                break;
            }
            left = later;
            if !left.is_empty() {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        if !left.is_empty() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
