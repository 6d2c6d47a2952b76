//! The ini settings `wrstats.*`: what a config leaves out comes from here.

use super::zend::{Access, Setting, with_globals};

/// The values in force.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Addresses, separated by commas.
    pub servers: Vec<u8>,
    /// Whether pools outlive requests.
    pub persistent: bool,
    /// `auto`, `meta` or `classic`.
    pub protocol: Vec<u8>,
    /// Whether classic background commands go without replies.
    pub noreply: bool,
    /// `ketama` or `modula`.
    pub distribution: Vec<u8>,
    /// Seconds.
    pub connect_timeout: f64,
    /// Seconds.
    pub timeout: f64,
    /// Seconds.
    pub retry_interval: f64,
    /// Bytes per server.
    pub buffer_bytes: usize,
    /// Seconds.
    pub flush_interval: f64,
    /// Seconds.
    pub shutdown_timeout: f64,
}

type Apply = fn(&[u8]) -> Result<(), String>;

const fn setting(
    name: &'static std::ffi::CStr,
    default: &'static std::ffi::CStr,
    apply: Apply,
) -> Setting {
    Setting {
        name,
        default,
        access: Access::PerDir,
        apply,
    }
}

/// All settings, with their defaults.
pub static SETTINGS: &[Setting] = &[
    setting(c"wrstats.servers", c"127.0.0.1:11211", |value| {
        if value.trim_ascii().is_empty() {
            return Err("a list such as \"10.0.0.1:11211,/run/memcached.sock\"".to_owned());
        }
        take(|settings| settings.servers = value.to_vec())
    }),
    setting(c"wrstats.persistent", c"1", |value| {
        let on = flag(value)?;
        take(|settings| settings.persistent = on)
    }),
    setting(c"wrstats.protocol", c"auto", |value| {
        let word = one_of(value, &["auto", "meta", "classic"])?;
        take(|settings| settings.protocol = word)
    }),
    setting(c"wrstats.noreply", c"0", |value| {
        let on = flag(value)?;
        take(|settings| settings.noreply = on)
    }),
    setting(c"wrstats.distribution", c"ketama", |value| {
        let word = one_of(value, &["ketama", "modula"])?;
        take(|settings| settings.distribution = word)
    }),
    setting(c"wrstats.connect_timeout", c"0.25", |value| {
        let time = seconds(value)?;
        take(|settings| settings.connect_timeout = time)
    }),
    setting(c"wrstats.timeout", c"0.5", |value| {
        let time = seconds(value)?;
        take(|settings| settings.timeout = time)
    }),
    setting(c"wrstats.retry_interval", c"1.0", |value| {
        let time = seconds(value)?;
        take(|settings| settings.retry_interval = time)
    }),
    setting(c"wrstats.buffer_bytes", c"8388608", |value| {
        let size = bytes(value)?;
        take(|settings| settings.buffer_bytes = size)
    }),
    setting(c"wrstats.flush_interval", c"1.0", |value| {
        let time = seconds(value)?;
        take(|settings| settings.flush_interval = time)
    }),
    setting(c"wrstats.shutdown_timeout", c"0.05", |value| {
        let time = seconds(value)?;
        take(|settings| settings.shutdown_timeout = time)
    }),
];

fn take(change: impl FnOnce(&mut Settings)) -> Result<(), String> {
    with_globals(|globals| change(&mut globals.settings.borrow_mut()));
    Ok(())
}

/// PHP's words for on and off; its parser makes "1" and "" of them in php.ini.
fn flag(value: &[u8]) -> Result<bool, String> {
    match value.trim_ascii().to_ascii_lowercase().as_slice() {
        b"1" | b"on" | b"yes" | b"true" => Ok(true),
        b"" | b"0" | b"off" | b"no" | b"false" => Ok(false),
        _ => Err("On or Off".to_owned()),
    }
}

fn one_of(value: &[u8], words: &[&str]) -> Result<Vec<u8>, String> {
    let word = value.trim_ascii().to_ascii_lowercase();
    if words.iter().any(|known| known.as_bytes() == word) {
        return Ok(word);
    }
    Err(format!("one of {}", words.join(", ")))
}

fn seconds(value: &[u8]) -> Result<f64, String> {
    const LONGEST: f64 = 3600.0;
    std::str::from_utf8(value.trim_ascii())
        .ok()
        .and_then(|text| text.parse::<f64>().ok())
        .filter(|time| (0.0..=LONGEST).contains(time))
        .ok_or_else(|| "a number of seconds from 0 to 3600, such as 0.25".to_owned())
}

fn bytes(value: &[u8]) -> Result<usize, String> {
    let text = value.trim_ascii();
    let (digits, unit) = match text.split_last() {
        Some((b'k' | b'K', digits)) => (digits, 1 << 10),
        Some((b'm' | b'M', digits)) => (digits, 1 << 20),
        Some((b'g' | b'G', digits)) => (digits, 1 << 30),
        _ => (text, 1),
    };
    std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse::<usize>().ok())
        .and_then(|count| count.checked_mul(unit))
        .filter(|count| *count > 0)
        .ok_or_else(|| "a number of bytes above 0, such as 8M".to_owned())
}
