//! A real memcached, on a free port of the loopback interface or on a socket of its own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// See the [module](self). Killed when dropped.
pub struct Memcached {
    child: Option<Child>,
    address: String,
    options: Vec<String>,
    dir: Option<TempDir>,
}

impl Memcached {
    /// On 127.0.0.1, with more options.
    pub fn tcp(options: &[&str]) -> Self {
        // The port may be taken between this and the start; the start is then tried again.
        for _ in 0..20 {
            let port = super::ports::free_port();
            let mut server = Memcached {
                child: None,
                address: format!("127.0.0.1:{port}"),
                options: options.iter().map(|&option| option.into()).collect(),
                dir: None,
            };
            if server.start() {
                return server;
            }
        }
        panic!("memcached did not start: is it installed?");
    }

    /// On a unix socket, with more options.
    pub fn unix(options: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut server = Memcached {
            child: None,
            address: dir.path().join("m.sock").to_str().unwrap().into(),
            options: options.iter().map(|&option| option.into()).collect(),
            dir: Some(dir),
        };
        assert!(server.start(), "memcached did not start: is it installed?");
        server
    }

    /// As a configuration names it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Starts it (again), on the same address. False: it ended at once.
    pub fn start(&mut self) -> bool {
        let mut command = Command::new("memcached");
        command.args(["-u", "root"]);
        match self.address.rsplit_once(':') {
            Some((host, port)) if self.dir.is_none() => {
                command.args(["-l", host, "-p", port, "-U", "0"]);
            }
            _ => {
                command.args(["-s", &self.address]);
            }
        }
        let mut child = command
            .args(&self.options)
            .spawn()
            .expect("memcached can be run");
        let deadline = Instant::now() + Duration::from_secs(5);
        while !self.accepts() {
            if child.try_wait().unwrap().is_some() || Instant::now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // On a port that another server took first it is the other one that accepts.
        let is_ours = if self.options.iter().any(|option| option == "-Y") {
            // It tells nothing; one that can't have its port ends at once.
            std::thread::sleep(Duration::from_millis(100));
            child.try_wait().unwrap().is_none()
        } else {
            self.stat("pid") == u64::from(child.id())
        };
        if !is_ours {
            let _ = child.kill();
            let _ = child.wait();
            return false;
        }
        self.child = Some(child);
        true
    }

    fn accepts(&self) -> bool {
        match self.dir {
            None => TcpStream::connect(&self.address).is_ok(),
            Some(_) => UnixStream::connect(&self.address).is_ok(),
        }
    }

    /// Ends it as a crash does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Stops it: it takes connections and answers nothing.
    pub fn stop(&self) {
        self.signal("STOP");
        // The signal is delivered to each thread when it next runs; one that runs may still answer.
        let id = self.child.as_ref().expect("it runs").id();
        let is_stopped = || {
            let threads = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
            threads.flatten().all(|thread| {
                let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
                stat.rsplit_once(')')
                    .is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
            })
        };
        let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
        while !is_stopped() {
            assert!(std::time::Instant::now() < until, "it does not stop");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let id = self.child.as_ref().expect("it runs").id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", name, &id])
                .status()
                .unwrap()
                .success()
        );
    }

    /// What it answers to `request`, up to a line that is `end`.
    pub fn raw(&self, request: &str, end: &str) -> String {
        let limit = Some(Duration::from_secs(20));
        match self.dir {
            None => {
                let stream = TcpStream::connect(&self.address).unwrap();
                stream.set_read_timeout(limit).unwrap();
                exchange(stream, request, end)
            }
            Some(_) => {
                let stream = UnixStream::connect(&self.address).unwrap();
                stream.set_read_timeout(limit).unwrap();
                exchange(stream, request, end)
            }
        }
    }

    /// One of its `stats`.
    pub fn stat(&self, name: &str) -> u64 {
        let stats = self.raw("stats\r\n", "END");
        let line = stats.lines().find_map(|line| {
            line.strip_prefix("STAT ")?
                .strip_prefix(name)?
                .strip_prefix(' ')
        });
        line.unwrap_or_else(|| panic!("no stat {name}"))
            .parse()
            .unwrap()
    }

    /// The value that it holds, read by the independent client (over TCP) or by hand.
    pub fn value(&self, key: &str) -> Option<String> {
        if self.dir.is_none() {
            let client = memcache::connect(format!("memcache://{}?protocol=ascii", self.address));
            return client.unwrap().get::<String>(key).unwrap();
        }
        let answer = self.raw(&format!("get {key}\r\n"), "END");
        answer.lines().nth(1).map(Into::into)
    }

    /// The counter that it holds.
    pub fn counter(&self, key: &str) -> Option<u64> {
        self.value(key)
            .map(|value| value.trim_end().parse().expect("a number"))
    }

    /// The seconds that a key has left; -1: for ever.
    pub fn ttl(&self, key: &str) -> Option<i64> {
        let answer = self.raw(&format!("mg {key} t\r\nmn\r\n"), "MN");
        answer.lines().next()?.strip_prefix("HD t")?.parse().ok()
    }
}

fn exchange(mut stream: impl Read + Write, request: &str, end: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let end = format!("{end}\r\n");
    while !answer.ends_with(end.as_bytes()) {
        let mut buffer = [0; 4096];
        let n = stream.read(&mut buffer).unwrap();
        assert!(n > 0, "closed after {:?}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&buffer[..n]);
    }
    String::from_utf8(answer).unwrap()
}

impl Drop for Memcached {
    fn drop(&mut self) {
        if self.child.is_some() {
            // One that is stopped does not die of it.
            self.go_on();
        }
        self.kill();
    }
}
