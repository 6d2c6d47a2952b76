//! Stand-ins for servers that can't be had for real: modelled ones, and scripts.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::model::{Kind, Session, Store};

/// A listener on 127.0.0.1 whose connections run a script, each on a thread. Ended when dropped.
pub struct Fake {
    address: String,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    ended: AtomicBool,
    connections: AtomicUsize,
    changed: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
    store: Mutex<Store>,
}

impl Fake {
    /// Connections are handled by `script`, which gets their number, from 0.
    pub fn scripted(script: impl Fn(usize, TcpStream) + Send + Sync + 'static) -> Self {
        Self::start(move |number, stream, _| script(number, stream))
    }

    /// A modelled server.
    pub fn modelled(kind: Kind) -> Self {
        Self::start(move |_, stream, shared| serve(Session::new(kind), stream, &shared.store))
    }

    /// A modelled server that becomes another one, with the same items, at [`change`](Self::change).
    pub fn changing(before: Kind, after: Kind) -> Self {
        Self::start(move |_, stream, shared| {
            let changed = shared.changed.load(Ordering::Relaxed);
            if !changed {
                let copy = stream.try_clone().unwrap();
                shared.open.lock().unwrap().push(copy);
            }
            let mut session = Session::new(if changed { after } else { before });
            session.mistaken = changed;
            serve(session, stream, &shared.store);
        })
    }

    /// Ends the connections there are; later ones meet the other kind of server.
    pub fn change(&self) {
        self.shared.changed.store(true, Ordering::Relaxed);
        self.hang_up();
    }

    /// Ends the connections there are.
    pub fn hang_up(&self) {
        for stream in self.shared.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn start(script: impl Fn(usize, TcpStream, &Shared) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shared = Arc::new(Shared::default());
        let script = Arc::new(script);
        let ours = Arc::clone(&shared);
        let accept = move || {
            for stream in listener.incoming() {
                if ours.ended.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else {
                    continue;
                };
                stream.set_nodelay(true).unwrap();
                // No script waits for ever.
                stream
                    .set_read_timeout(Some(Duration::from_secs(20)))
                    .unwrap();
                stream
                    .set_write_timeout(Some(Duration::from_secs(20)))
                    .unwrap();
                let number = ours.connections.fetch_add(1, Ordering::Relaxed);
                let (script, shared) = (Arc::clone(&script), Arc::clone(&ours));
                std::thread::spawn(move || script(number, stream, &shared));
            }
        };
        Fake {
            address,
            shared,
            listener: Some(std::thread::spawn(accept)),
        }
    }

    /// As a configuration names it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// How many connections there have been.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Relaxed)
    }

    /// What a modelled server holds.
    pub fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        self.shared.store.lock().unwrap()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        // Wakes the listener up.
        let _ = TcpStream::connect(&self.address);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}

/// Answers as the model does, until the other side closes.
pub fn serve(mut session: Session, mut stream: TcpStream, store: &Mutex<Store>) {
    let mut buffer = vec![0; 64 << 10];
    let mut replies = Vec::new();
    while !session.closed
        && let Ok(n @ 1..) = stream.read(&mut buffer)
    {
        replies.clear();
        session.hear(&mut store.lock().unwrap(), &buffer[..n], &mut replies);
        if stream.write_all(&replies).is_err() {
            return;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

/// Takes bytes until they end in `end`. False: the other side has closed, or is silent.
pub fn read_until(stream: &mut TcpStream, end: &str) -> bool {
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    while !all.ends_with(end.as_bytes()) {
        match stream.read(&mut buffer) {
            Ok(n @ 1..) => all.extend_from_slice(&buffer[..n]),
            _ => return false,
        }
    }
    true
}

/// Greets as memcached 1.6.18 does: what came behind the question, or `None` if the other side has closed.
pub fn greet(stream: &mut TcpStream) -> Option<Vec<u8>> {
    const VERSION: &[u8] = b"version\r\n";
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let Ok(n @ 1..) = stream.read(&mut buffer) else {
            return None;
        };
        all.extend_from_slice(&buffer[..n]);
        if let Some(at) = all
            .windows(VERSION.len())
            .position(|bytes| bytes == VERSION)
        {
            let noop: &[u8] = if all[..at] == *b"mn\r\n" {
                b"MN\r\n"
            } else {
                b""
            };
            stream
                .write_all(&[noop, b"VERSION 1.6.18\r\n"].concat())
                .ok()?;
            return Some(all.split_off(at + VERSION.len()));
        }
    }
}

/// Waits until the other side closes.
pub fn until_closed(stream: &mut TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(1..) = stream.read(&mut buffer) {}
}
