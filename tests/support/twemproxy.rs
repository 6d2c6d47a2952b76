//! twemproxy (nutcracker) in front of servers.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::ports::free_port;

/// See the [module](self). Killed when dropped.
pub struct Twemproxy {
    child: Child,
    address: String,
    _dir: TempDir,
}

impl Twemproxy {
    /// Over `servers`, spread by ketama. It waits five seconds for an answer, and drops a server for one
    /// second after two failures. Keys are spread by the servers' names, so that each server's share is the
    /// same in every run: by their ports one of three now and then got under 50 of 600 keys.
    pub fn over(servers: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..20 {
            let [port, stats] = [free_port(), free_port()];
            let address = format!("127.0.0.1:{port}");
            let mut config = format!(
                "pool:\n  listen: {address}\n  hash: fnv1a_64\n  distribution: ketama\n  \
                 auto_eject_hosts: false\n  timeout: 5000\n  server_retry_timeout: 1000\n  \
                 server_failure_limit: 2\n  servers:\n"
            );
            for (number, server) in servers.iter().enumerate() {
                config.push_str(&format!("   - {server}:1 server-{number}\n"));
            }
            let file = dir.path().join("nutcracker.yml");
            std::fs::write(&file, config).unwrap();
            let mut child = Command::new("nutcracker")
                .args([
                    "-c",
                    file.to_str().unwrap(),
                    "-a",
                    "127.0.0.1",
                    "-s",
                    &stats.to_string(),
                ])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("nutcracker can be run");
            let deadline = Instant::now() + Duration::from_secs(5);
            while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
                if answers(&address) {
                    return Twemproxy {
                        child,
                        address,
                        _dir: dir,
                    };
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("nutcracker did not start: is it installed?");
    }

    /// As a configuration names it.
    pub fn address(&self) -> &str {
        &self.address
    }
}

fn answers(address: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return false;
    };
    stream
        .set_read_timeout(Some(Duration::from_secs(1)))
        .unwrap();
    let mut answer = [0; 7];
    stream.write_all(b"version\r\n").is_ok()
        && stream.read_exact(&mut answer).is_ok()
        && answer == *b"VERSION"
}

impl Drop for Twemproxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
