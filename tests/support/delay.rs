//! A line that takes time: everything passes, in order, so much later. A stand-in for distance.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::fake::Fake;

/// A line to `upstream` with this delay each way. Connecting itself takes none: a test counts the
/// first round trip by hand.
pub fn line(upstream: &str, delay: Duration) -> Fake {
    let upstream = upstream.to_string();
    Fake::scripted(move |_, client| {
        let Ok(server) = TcpStream::connect(&upstream) else {
            return;
        };
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
        }
        let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let there = std::thread::spawn(move || carry(from, to, delay));
        carry(server, client, delay);
        let _ = there.join();
    })
}

/// Carries bytes until either side ends, each piece `delay` after it came.
fn carry(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    let (sender, pieces) = mpsc::channel::<(Instant, Vec<u8>)>();
    let mut out = to.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        while let Ok((due, piece)) = pieces.recv() {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if out.write_all(&piece).is_err() {
                break;
            }
        }
        let _ = out.shutdown(Shutdown::Write);
    });
    let mut buffer = vec![0; 256 << 10];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if sender
            .send((Instant::now() + delay, buffer[..n].to_vec()))
            .is_err()
        {
            break;
        }
    }
    drop(sender);
    let _ = writer.join();
    let _ = to.flush();
}
