//! A handle of its own pool, and calls that may take so long and no longer.

use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use wrstats::client::config::Config;
use wrstats::client::handle::Handle;
use wrstats::client::input::{Input, InputKey};
use wrstats::client::link::Link;
use wrstats::client::pools::Pools;
use wrstats::connection::books::Books;
use wrstats::protocol::key::KeyList;
use wrstats::protocol::request::{Action, StoreMode};
use wrstats::protocol::ttl::Ttl;

/// Settings given as text, the way ini files and DSNs do.
pub fn config(pairs: &[(&str, &str)]) -> Config {
    let list: Vec<_> = pairs
        .iter()
        .map(|(key, value)| {
            (
                InputKey::Bytes(key.as_bytes().into()),
                Input::Bytes(value.as_bytes().into()),
            )
        })
        .collect();
    Config::from_array(&Config::default(), &list).unwrap()
}

/// A lifetime.
pub fn ttl(seconds: i64) -> Ttl {
    Ttl::new(seconds, || 1_800_000_000).unwrap()
}

/// `set` without flags.
pub fn set(value: &[u8]) -> Action<'_> {
    Action::Store {
        mode: StoreMode::Set,
        flags: 0,
        ttl: Ttl::FOREVER,
        value,
    }
}

/// Long enough for anything that works, on a busy machine.
pub const WAIT: Option<Duration> = Some(Duration::from_secs(10));

/// Runs `call`, which may take `limit` at most, of its own running and waiting. Time in which this thread could
/// have run and the machine ran others does not count.
pub fn within<T>(limit: Duration, call: impl FnOnce() -> T) -> T {
    let watch = Stopwatch::start();
    let outcome = call();
    let took = watch.elapsed();
    assert!(took <= limit, "took {took:?} of {limit:?}");
    outcome
}

/// Time that this thread spent running or waiting for something else than a processor.
pub struct Stopwatch {
    started: Instant,
    delayed: Duration,
}

impl Stopwatch {
    /// From now on.
    pub fn start() -> Self {
        Stopwatch {
            started: Instant::now(),
            delayed: run_delay(),
        }
    }

    /// Since then.
    pub fn elapsed(&self) -> Duration {
        let delayed = run_delay().saturating_sub(self.delayed);
        self.started.elapsed().saturating_sub(delayed)
    }
}

/// How long this thread has been ready to run and was not let, where the kernel tells.
fn run_delay() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let delay = text
        .split_ascii_whitespace()
        .nth(1)
        .and_then(|field| field.parse().ok());
    Duration::from_nanos(delay.unwrap_or(0))
}

/// Milliseconds.
pub const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// See the [module](self). The handle's calls are this one's.
pub struct Client {
    handle: Handle,
    pools: Pools,
}

impl Client {
    /// With these settings.
    pub fn new(pairs: &[(&str, &str)]) -> Self {
        let mut pools = Pools::default();
        let handle = Handle::open(&config(pairs), &mut pools);
        Client { handle, pools }
    }

    /// Of one server, with short time-outs: 0.2 s to connect and 0.2 s for an answer, tried again after 0.2 s.
    pub fn of(server: &str) -> Self {
        Client::with(server, &[])
    }

    /// The same, with more settings.
    pub fn with(server: &str, more: &[(&str, &str)]) -> Self {
        let mut pairs = vec![
            ("servers", server),
            ("connect_timeout", "0.2"),
            ("timeout", "0.2"),
            ("retry_interval", "0.2"),
        ];
        pairs.retain(|(key, _)| more.iter().all(|(other, _)| key != other));
        pairs.extend(more);
        Client::new(&pairs)
    }

    /// Adds one, with a lifetime of a minute.
    pub fn count(&self, key: &str) -> bool {
        self.handle.incr(key.as_bytes(), 1, ttl(60), 1).unwrap()
    }

    /// Counts the same key until every server's dialect is settled. How often that was.
    pub fn warm_up(&mut self, key: &str) -> u64 {
        for n in 1..100 {
            self.count(key);
            self.settled();
            let pool = self.handle.pool().borrow();
            let settled = |link: &Link| !link.connection().is_dialect_open();
            if pool
                .links()
                .iter()
                .all(|link| link.is_up() && settled(link))
            {
                return n;
            }
            drop(pool);
            std::thread::sleep(ms(10));
        }
        let pool = self.handle.pool().borrow();
        panic!(
            "no dialect is settled: {:?} {:?}",
            pool.links(),
            pool.books()
        );
    }

    /// The request ends.
    pub fn end_request(&mut self) {
        self.pools.end_request();
    }

    /// Reads one key as text: what there is, or the failure's message.
    pub fn read(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.handle.get(key.as_bytes(), false) {
            Ok(item) => Ok(item.map(|item| String::from_utf8(item.value).unwrap())),
            Err(_) => Err(self.failure_text()),
        }
    }

    /// The last failure's message.
    pub fn failure_text(&self) -> String {
        self.handle
            .failure()
            .map_or_else(String::new, |failure| failure.message.to_string())
    }

    /// A list of keys.
    pub fn keys(&self, keys: impl IntoIterator<Item = impl AsRef<str>>) -> KeyList {
        let mut list = KeyList::new();
        for key in keys {
            list.push(self.handle.parts(key.as_ref().as_bytes()))
                .unwrap();
        }
        list
    }

    /// The books, which balance.
    pub fn books(&self) -> Books {
        let books = self.handle.metrics();
        assert!(books.balanced(), "{books:?}");
        books
    }

    /// The books once nothing is queued and no answer is due any more, by waiting for it.
    pub fn settled(&mut self) -> Books {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            self.handle.sync(WAIT);
            let books = self.books();
            if books.pending == 0 && books.in_flight() == 0 {
                return books;
            }
            assert!(Instant::now() < deadline, "{books:?}");
            // Marked down for now.
            std::thread::sleep(ms(10));
        }
    }

    /// What a read of one key answers once it answers at all.
    pub fn read_at_last(&mut self, key: &str) -> Option<String> {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            match self.read(key) {
                Ok(value) => return value,
                Err(failure) => assert!(Instant::now() < deadline, "{failure}"),
            }
            std::thread::sleep(ms(10));
        }
    }
}

impl Deref for Client {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Handle {
        &mut self.handle
    }
}

/// Holds the server's value against the books of a client that alone counted this key, one by one and not
/// merged: confirmed <= value <= confirmed + lost + in flight + unverified.
pub fn assert_accounted(value: u64, books: &Books) {
    let most = books.confirmed + books.lost + books.in_flight() + books.unverified;
    assert!(
        books.confirmed <= value && value <= most,
        "{value} held, {books:?}"
    );
}

/// Prints what became of a scenario's background calls as a row of a table (`cargo test -- --nocapture` shows it): how many
/// there were, how many of them are `missing` from the server without its having answered an error (`None`: it can't be
/// told), how many are counted as lost, and the longest call in ms.
pub fn row(scenario: &str, books: &Books, missing: Option<u64>, longest: Duration) {
    let missing = missing.map_or("?".into(), |missing| missing.to_string());
    let (calls, lost) = (books.calls(), books.lost);
    let longest = longest.as_secs_f64() * 1e3;
    println!("| {scenario} | {calls} | {missing} | {lost} | {longest:.1} |");
}
