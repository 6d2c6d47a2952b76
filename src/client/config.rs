//! The settings of a handle and its pool: what `new WRStats($config)` takes, typed.
//!
//! Values come from ini entries, a DSN or a PHP array; see [`Config::set`], [`Config::from_dsn`] and
//! [`Config::from_array`]. Text is read by what it stands for: `"0.2"` is a number, `"On"` a bool, as ini
//! files and DSNs know nothing else.

mod dsn;
mod error;
mod servers;
mod value;

use std::time::Duration;

use error::unknown_key;
pub use error::{ConfigError, closest};

use super::endpoint::Server;
use super::input::{Input, InputKey};
pub use crate::connection::Protocol;

/// Most servers of a pool.
pub const MAX_SERVERS: usize = 1000;
/// Range of `connect_timeout` and `timeout`, in seconds. Above a minute it is most likely a number of
/// milliseconds or microseconds, the units of libmemcached.
pub const TIMEOUT_RANGE: (f64, f64) = (0.001, 60.0);
/// Range of `retry_interval`, in seconds.
pub const RETRY_RANGE: (f64, f64) = (0.001, 3600.0);
/// Range of `flush_interval`, in seconds; 0: every call sends.
pub const FLUSH_RANGE: (f64, f64) = (0.0, 3600.0);
/// Range of `shutdown_timeout`, in seconds; 0: never wait.
pub const SHUTDOWN_RANGE: (f64, f64) = (0.0, 60.0);
/// Range of `buffer_bytes`, per server.
pub const BUFFER_RANGE: (usize, usize) = (4096, 1 << 30);
/// Most bytes of route and prefix together: one is left for the key, of the 250 on the wire.
pub const MAX_HEAD: usize = 249;
/// Most bytes of a keyspace, so that the shortened keys of MediaWiki still fit behind it.
pub const MAX_KEYSPACE: usize = 128;
/// Most bytes of the name of a pool.
pub const MAX_POOL_NAME: usize = 255;

/// The names of all settings, in the order of the stub.
pub const KEYS: [&str; 15] = [
    "servers",
    "persistent",
    "protocol",
    "noreply",
    "distribution",
    "prefix",
    "route",
    "keyspace",
    "long_keys",
    "connect_timeout",
    "timeout",
    "retry_interval",
    "buffer_bytes",
    "flush_interval",
    "shutdown_timeout",
];

/// Where counters are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Servers {
    /// In this process: `memory:`.
    Memory,
    /// On 1 to [`MAX_SERVERS`] servers, each there once, in the order given.
    Remote(Vec<Server>),
}

/// How long a pool lives, and what else keeps it apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Persistent {
    /// It ends with its last handle.
    No,
    /// It outlives the request.
    Yes,
    /// It outlives the request and is shared only by handles with this name, of 1 to
    /// [`MAX_POOL_NAME`] bytes. `on`, `no` and the like are no names.
    Named(Box<[u8]>),
}

/// How keys are spread over servers; see [`Ring`](super::ring::Ring).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// As libmemcached with `OPT_LIBKETAMA_COMPATIBLE`.
    Ketama,
    /// As libmemcached by default.
    Modula,
}

/// How stats keys that are too long are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongKeys {
    /// As MediaWiki 1.45 and later.
    MediaWiki145,
    /// As MediaWiki 1.39 to 1.43.
    MediaWiki139,
}

/// All settings. Made by [`Default`], changed by [`Config::set`], so every value is in range.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Where counters are kept. `127.0.0.1:11211`.
    pub servers: Servers,
    /// How long the pool lives. [`Persistent::Yes`].
    pub persistent: Persistent,
    /// Which commands to speak. [`Protocol::Auto`].
    pub protocol: Protocol,
    /// Whether classic background commands go without replies. `false`.
    pub noreply: bool,
    /// How keys are spread over servers. [`Distribution::Ketama`].
    pub distribution: Distribution,
    /// Put before every key, behind the route. Empty; at most [`MAX_HEAD`] bytes with the route.
    pub prefix: Box<[u8]>,
    /// Routing prefix for a proxy. Empty, or from `/` to `/`.
    pub route: Box<[u8]>,
    /// First component of local stats keys, 1 to [`MAX_KEYSPACE`] bytes. `local`.
    pub keyspace: Box<[u8]>,
    /// How long stats keys are shortened. [`LongKeys::MediaWiki145`].
    pub long_keys: LongKeys,
    /// Longest wait for a connection, within [`TIMEOUT_RANGE`]. 0.25 s.
    pub connect_timeout: Duration,
    /// Longest wait for an answer, within [`TIMEOUT_RANGE`]. 0.5 s.
    pub timeout: Duration,
    /// How long a failed server is left alone, within [`RETRY_RANGE`]. 1 s.
    pub retry_interval: Duration,
    /// Most bytes of unsent writes per server, within [`BUFFER_RANGE`]. 8 MiB.
    pub buffer_bytes: usize,
    /// Age from which queued writes go out with any call, within [`FLUSH_RANGE`]. 1 s.
    pub flush_interval: Duration,
    /// Longest wait at request end for bytes that the kernel won't take, within [`SHUTDOWN_RANGE`].
    /// 0.05 s.
    pub shutdown_timeout: Duration,
}

impl Default for Config {
    fn default() -> Self {
        let local = Server::parse(b"127.0.0.1:11211").expect("a good address");
        Config {
            servers: Servers::Remote(vec![local]),
            persistent: Persistent::Yes,
            protocol: Protocol::Auto,
            noreply: false,
            distribution: Distribution::Ketama,
            prefix: Box::default(),
            route: Box::default(),
            keyspace: b"local"[..].into(),
            long_keys: LongKeys::MediaWiki145,
            connect_timeout: Duration::from_millis(250),
            timeout: Duration::from_millis(500),
            retry_interval: Duration::from_secs(1),
            buffer_bytes: 8 << 20,
            flush_interval: Duration::from_secs(1),
            shutdown_timeout: Duration::from_millis(50),
        }
    }
}

impl Config {
    /// The settings of a PHP array; those left out, and those that are null, come from `base` (the ini
    /// settings), but prefix, route, keyspace and `long_keys` from the defaults.
    ///
    /// # Errors
    /// An unknown key, or a value that [`Config::set`] refuses.
    pub fn from_array(base: &Config, list: &[(InputKey, Input)]) -> Result<Config, ConfigError> {
        let mut config = base.for_handle();
        for (key, value) in list {
            match key {
                InputKey::Bytes(name) => config.set(name, value)?,
                InputKey::Int(at) => {
                    let problem =
                        format!("{at} is no key; a list of servers goes under \"servers\"");
                    return Err(ConfigError::new("config", problem));
                }
            }
        }
        Ok(config)
    }

    /// Changes one setting; null changes nothing.
    ///
    /// # Errors
    /// An unknown name, or a value of another kind or out of range: the message says which form, unit and
    /// range are accepted. The setting then stays as it was.
    pub fn set(&mut self, name: &[u8], value: &Input) -> Result<(), ConfigError> {
        let Some(key) = KEYS.into_iter().find(|key| key.as_bytes() == name) else {
            return Err(unknown_key(name));
        };
        if *value == Input::Null {
            return Ok(());
        }
        match key {
            "servers" => self.servers = servers::servers(value)?,
            "persistent" => self.persistent = persistent(value)?,
            "protocol" => {
                let words = [
                    ("auto", Protocol::Auto),
                    ("meta", Protocol::Meta),
                    ("classic", Protocol::Classic),
                ];
                self.protocol = value::word(key, value, &words)?;
            }
            "noreply" => self.noreply = value::bool(key, value)?,
            "distribution" => {
                let words = [
                    ("ketama", Distribution::Ketama),
                    ("modula", Distribution::Modula),
                ];
                self.distribution = value::word(key, value, &words)?;
            }
            "prefix" => self.prefix = head(key, value, self.route.len())?,
            "route" => self.route = route(value, self.prefix.len())?,
            "keyspace" => self.keyspace = keyspace(value)?,
            "long_keys" => {
                let words = [
                    ("mediawiki-1.45", LongKeys::MediaWiki145),
                    ("mediawiki-1.39", LongKeys::MediaWiki139),
                ];
                self.long_keys = value::word(key, value, &words)?;
            }
            "connect_timeout" => self.connect_timeout = value::seconds(key, value, TIMEOUT_RANGE)?,
            "timeout" => self.timeout = value::seconds(key, value, TIMEOUT_RANGE)?,
            "retry_interval" => self.retry_interval = value::seconds(key, value, RETRY_RANGE)?,
            "buffer_bytes" => self.buffer_bytes = value::size(key, value, BUFFER_RANGE)?,
            "flush_interval" => self.flush_interval = value::seconds(key, value, FLUSH_RANGE)?,
            _ => self.shutdown_timeout = value::seconds(key, value, SHUTDOWN_RANGE)?,
        }
        Ok(())
    }

    /// What two configs have in common exactly when their handles share a pool: everything but prefix,
    /// route, keyspace and `long_keys`. For comparing and hashing within one process.
    #[must_use]
    pub fn pool_identity(&self) -> Vec<u8> {
        let mut identity = Vec::with_capacity(128);
        // Lengths before texts, so that no text can pose as what follows it.
        let mut text = |text: &[u8]| {
            identity.extend_from_slice(&text.len().to_ne_bytes());
            identity.extend_from_slice(text);
        };
        match &self.persistent {
            Persistent::No => text(b""),
            Persistent::Yes => text(&[1]),
            Persistent::Named(name) => text(&[&[2], &name[..]].concat()),
        }
        text(&[
            self.protocol as u8,
            self.noreply.into(),
            self.distribution as u8,
        ]);
        for duration in [
            self.connect_timeout,
            self.timeout,
            self.retry_interval,
            self.flush_interval,
            self.shutdown_timeout,
        ] {
            text(&duration.as_nanos().to_ne_bytes());
        }
        text(&self.buffer_bytes.to_ne_bytes());
        if let Servers::Remote(servers) = &self.servers {
            for server in servers {
                text(server.endpoint().name());
                text(&server.endpoint().ring_name());
                text(&server.weight().to_ne_bytes());
            }
        }
        identity
    }

    /// A copy without what belongs to one handle.
    fn for_handle(&self) -> Config {
        let Config {
            prefix,
            route,
            keyspace,
            long_keys,
            ..
        } = Config::default();
        Config {
            prefix,
            route,
            keyspace,
            long_keys,
            ..self.clone()
        }
    }
}

fn persistent(value: &Input) -> Result<Persistent, ConfigError> {
    match (value::as_bool(value), value) {
        (Some(true), _) => Ok(Persistent::Yes),
        (Some(false), _) => Ok(Persistent::No),
        (None, Input::Bytes(name)) if name.len() <= MAX_POOL_NAME => {
            Ok(Persistent::Named(name.clone().into()))
        }
        _ => {
            let form = format!("true, false or a name of at most {MAX_POOL_NAME} bytes");
            Err(ConfigError::form("persistent", &form, value))
        }
    }
}

/// A part of what is put before keys, beside another part of `other` bytes.
fn head(key: &'static str, value: &Input, other: usize) -> Result<Box<[u8]>, ConfigError> {
    let text = value::key_text(key, value)?;
    if text.len() + other > MAX_HEAD {
        let form = format!("at most {MAX_HEAD} bytes, route and prefix together");
        return Err(ConfigError::form(key, &form, value));
    }
    Ok(text.into())
}

fn route(value: &Input, prefix: usize) -> Result<Box<[u8]>, ConfigError> {
    let text = head("route", value, prefix)?;
    // A route without its last slash would swallow the beginning of the key.
    let fits = text.len() > 2 && text.starts_with(b"/") && text.ends_with(b"/");
    if !fits && !text.is_empty() {
        return Err(ConfigError::form(
            "route",
            "empty or of the form \"/region/cluster/\"",
            value,
        ));
    }
    Ok(text)
}

fn keyspace(value: &Input) -> Result<Box<[u8]>, ConfigError> {
    let text = value::key_text("keyspace", value)?;
    if text.is_empty() || text.len() > MAX_KEYSPACE {
        return Err(ConfigError::form(
            "keyspace",
            &format!("a string of 1 to {MAX_KEYSPACE} bytes"),
            value,
        ));
    }
    Ok(text.into())
}
