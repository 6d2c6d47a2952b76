//! Names of hosts to addresses.
//!
//! Names are looked up at every connect, so that a server may move while PHP runs. The lookup is libc's
//! `getaddrinfo`, which honours everything an administrator set up, but knows no deadline: with a dead name
//! server it blocks as long as `resolv.conf` allows (`options timeout:` times `attempts:`, 10 s by
//! default). Such a lookup is not repeated for [`SLOW_PAUSE`], and the last good addresses of the name
//! stand in for it. What remains: one slow lookup per name, process and pause. Where that is too much,
//! servers are to be given by their addresses, or a caching resolver is to run on the machine.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

/// For how long a name is not looked up again after a lookup that took longer than its caller could wait.
pub const SLOW_PAUSE: Duration = Duration::from_secs(30);
/// For how long the addresses of a name that can't be looked up any more are used.
pub const LAST_GOOD_FOR: Duration = Duration::from_secs(3600);
/// Most names remembered; the one remembered longest is forgotten first.
pub const MAX_NAMES: usize = 1024;
/// Most addresses used of one name.
pub const MAX_ADDRESSES: usize = 16;

/// Looks names up, and remembers what for when that fails. One per thread or pool.
#[derive(Debug, Default)]
pub struct Resolver {
    names: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    host: Box<str>,
    /// The last good addresses, and when they were. Their ports mean nothing.
    good: Option<(Vec<SocketAddr>, Instant)>,
    /// Not to be looked up before.
    pause: Option<Instant>,
}

impl Resolver {
    /// The addresses of a host, in the order to try them, at least one. An IP address needs no lookup, an
    /// IPv6 address with a scope none that goes out. `budget` is how long the caller would like to wait at
    /// most; a lookup that takes longer is waited for all the same, but not repeated for [`SLOW_PAUSE`].
    ///
    /// # Errors
    /// The lookup failed, or is paused, and there are no addresses from the last hour.
    pub fn resolve(
        &mut self,
        host: &str,
        port: u16,
        budget: Duration,
        now: Instant,
    ) -> io::Result<Vec<SocketAddr>> {
        if let Ok(address) = host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        self.resolve_with(host, port, budget, now, || {
            let start = Instant::now();
            let found = (host, port).to_socket_addrs().map(Iterator::collect);
            (found, start.elapsed())
        })
    }

    fn resolve_with(
        &mut self,
        host: &str,
        port: u16,
        budget: Duration,
        now: Instant,
        look_up: impl FnOnce() -> (io::Result<Vec<SocketAddr>>, Duration),
    ) -> io::Result<Vec<SocketAddr>> {
        let name = self.name(host);
        if name.pause.is_some_and(|end| now < end) {
            let slow =
                || io::Error::new(io::ErrorKind::TimedOut, "looking the name up took too long");
            return name.last_good(port, now).ok_or_else(slow);
        }
        let (found, took) = look_up();
        // Counted from the end of the lookup.
        let now = now + took;
        name.pause = (took > budget).then(|| now + SLOW_PAUSE);
        let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        let found = found.and_then(|found| {
            if found.is_empty() {
                Err(none())
            } else {
                Ok(found)
            }
        });
        match found {
            Ok(mut addresses) => {
                addresses.truncate(MAX_ADDRESSES);
                name.good = Some((addresses.clone(), now));
                Ok(addresses)
            }
            Err(error) => name.last_good(port, now).ok_or(error),
        }
    }

    fn name(&mut self, host: &str) -> &mut Name {
        let at = self
            .names
            .iter()
            .position(|name| *name.host == *host)
            .unwrap_or_else(|| {
                if self.names.len() == MAX_NAMES {
                    self.names.remove(0);
                }
                self.names.push(Name {
                    host: host.into(),
                    good: None,
                    pause: None,
                });
                self.names.len() - 1
            });
        &mut self.names[at]
    }
}

impl Name {
    fn last_good(&self, port: u16, now: Instant) -> Option<Vec<SocketAddr>> {
        let (addresses, since) = self.good.as_ref()?;
        if now.duration_since(*since) > LAST_GOOD_FOR {
            return None;
        }
        let with_port = |mut address: SocketAddr| {
            address.set_port(port);
            address
        };
        Some(addresses.iter().copied().map(with_port).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Duration = Duration::from_millis(250);
    const FAST: Duration = Duration::from_millis(1);
    const SLOW: Duration = Duration::from_secs(10);

    type Lookup = (io::Result<Vec<SocketAddr>>, Duration);

    fn addresses(list: &[&str]) -> Vec<SocketAddr> {
        list.iter()
            .map(|address| address.parse().unwrap())
            .collect()
    }
    fn failure() -> io::Error {
        io::Error::other("failed to lookup address information")
    }
    fn asked(
        resolver: &mut Resolver,
        now: Instant,
        lookup: Lookup,
    ) -> Result<Vec<SocketAddr>, io::ErrorKind> {
        let mut lookups = 0;
        let found = resolver.resolve_with("h", 5, BUDGET, now, || {
            lookups += 1;
            lookup
        });
        assert_eq!(lookups, 1, "looked up");
        found.map_err(|error| error.kind())
    }
    fn not_asked(
        resolver: &mut Resolver,
        now: Instant,
        port: u16,
    ) -> Result<Vec<SocketAddr>, io::ErrorKind> {
        let found = resolver.resolve_with("h", port, BUDGET, now, || panic!("looked up"));
        found.map_err(|error| error.kind())
    }

    #[test]
    fn addresses_need_no_lookup() {
        let mut resolver = Resolver::default();
        for (host, address) in [
            ("127.0.0.1", "127.0.0.1:5"),
            ("::1", "[::1]:5"),
            ("2001:DB8::1", "[2001:db8::1]:5"),
        ] {
            let found = resolver.resolve(host, 5, BUDGET, Instant::now()).unwrap();
            assert_eq!(found, addresses(&[address]));
        }
        assert!(resolver.names.is_empty());
    }

    #[test]
    fn localhost_is_looked_up() {
        let found = Resolver::default()
            .resolve("localhost", 5, BUDGET, Instant::now())
            .unwrap();
        assert!(
            found
                .iter()
                .all(|address| address.ip().is_loopback() && address.port() == 5),
            "{found:?}"
        );
    }

    #[test]
    fn an_address_with_a_scope_keeps_it() {
        let found = Resolver::default()
            .resolve("fe80::1%lo", 5, BUDGET, Instant::now())
            .unwrap();
        let [SocketAddr::V6(address)] = found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(address.scope_id(), 1, "the loopback interface");
    }

    #[test]
    fn a_name_is_looked_up_each_time() {
        let mut resolver = Resolver::default();
        let now = Instant::now();
        for list in [["127.0.0.2:5"], ["127.0.0.3:5"]] {
            assert_eq!(
                asked(&mut resolver, now, (Ok(addresses(&list)), FAST)),
                Ok(addresses(&list))
            );
        }
    }

    #[test]
    fn the_last_good_addresses_stand_in_for_an_hour() {
        let mut resolver = Resolver::default();
        let now = Instant::now();
        let good = addresses(&["127.0.0.2:5", "[::1]:5"]);
        assert_eq!(
            asked(&mut resolver, now, (Err(failure()), FAST)),
            Err(io::ErrorKind::Other)
        );
        asked(&mut resolver, now, (Ok(good.clone()), FAST)).unwrap();
        assert_eq!(
            asked(&mut resolver, now, (Err(failure()), FAST)),
            Ok(good.clone())
        );
        assert_eq!(
            asked(&mut resolver, now + LAST_GOOD_FOR, (Ok(vec![]), FAST)),
            Ok(good)
        );
        let later = now + LAST_GOOD_FOR + SLOW;
        assert_eq!(
            asked(&mut resolver, later, (Err(failure()), FAST)),
            Err(io::ErrorKind::Other)
        );
        assert_eq!(
            asked(&mut resolver, later, (Ok(vec![]), FAST)),
            Err(io::ErrorKind::NotFound)
        );
    }

    #[test]
    fn a_slow_lookup_is_not_repeated_at_once() {
        let mut resolver = Resolver::default();
        let now = Instant::now();
        assert_eq!(
            asked(&mut resolver, now, (Err(failure()), SLOW)),
            Err(io::ErrorKind::Other)
        );
        assert_eq!(
            not_asked(&mut resolver, now + SLOW + SLOW, 5),
            Err(io::ErrorKind::TimedOut)
        );
        let now = now + SLOW + SLOW_PAUSE;
        asked(&mut resolver, now, (Ok(addresses(&["[::1]:5"])), SLOW)).unwrap();
        assert_eq!(
            not_asked(&mut resolver, now + SLOW, 6),
            Ok(addresses(&["[::1]:6"]))
        );
        let now = now + SLOW + SLOW_PAUSE;
        asked(&mut resolver, now, (Ok(addresses(&["[::1]:5"])), FAST)).unwrap();
        asked(&mut resolver, now, (Ok(addresses(&["[::1]:5"])), FAST)).unwrap();
    }

    #[test]
    fn names_and_addresses_are_bounded() {
        let mut resolver = Resolver::default();
        let now = Instant::now();
        let many = vec![SocketAddr::from(([127, 0, 0, 1], 5)); 40];
        for at in 0..MAX_NAMES + 5 {
            let look_up = || (Ok(many.clone()), FAST);
            let found = resolver
                .resolve_with(&format!("h{at}"), 5, BUDGET, now, look_up)
                .unwrap();
            assert_eq!(found.len(), MAX_ADDRESSES);
        }
        assert_eq!(resolver.names.len(), MAX_NAMES);
        assert_eq!(&*resolver.names[0].host, "h5");
    }
}
