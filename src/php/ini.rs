//! The ini settings `wrstats.*`: what a config leaves out comes from here.

use super::zend::{Setting, with_globals};
use crate::client::config::{KEYS, closest};
use crate::client::input::Input;

/// What the names of all begin with.
pub const PREFIX: &str = "wrstats.";

macro_rules! settings {
    ($($name:literal = $default:literal,)*) => {
        /// All settings, with their defaults.
        pub static SETTINGS: &[Setting] = &[$(
            Setting {
                name: match std::ffi::CStr::from_bytes_with_nul(
                    concat!("wrstats.", $name, "\0").as_bytes(),
                ) {
                    Ok(name) => name,
                    Err(_) => panic!("no NUL in names"),
                },
                default: $default,
                apply: |value| take($name, value),
            },
        )*];
    };
}

settings! {
    "servers" = c"127.0.0.1:11211",
    "persistent" = c"1",
    "protocol" = c"auto",
    "noreply" = c"0",
    "distribution" = c"ketama",
    "connect_timeout" = c"0.25",
    "timeout" = c"0.5",
    "retry_interval" = c"1.0",
    "buffer_bytes" = c"8388608",
    "flush_interval" = c"1.0",
    "shutdown_timeout" = c"0.05",
}

fn take(name: &str, value: &[u8]) -> Result<(), String> {
    with_globals(|globals| {
        // They were read with the old settings for what they left out.
        globals.opened.borrow_mut().clear();
        globals
            .settings
            .borrow_mut()
            .set(name.as_bytes(), &Input::Bytes(value.into()))
            .map_err(|error| format!("wrstats.{error}"))
    })
}

/// What is to be said of a name with our prefix that is none of [`SETTINGS`].
pub fn unknown(name: &str) -> String {
    let key = name.strip_prefix(PREFIX).unwrap_or(name);
    if KEYS.contains(&key) {
        return format!("{name} is no setting of php.ini: give it to new WRStats()");
    }
    let names: Vec<&str> = SETTINGS
        .iter()
        .filter_map(|setting| setting.name.to_str().ok()?.strip_prefix(PREFIX))
        .collect();
    match closest(key.as_bytes(), names.iter().copied()) {
        Some(meant) => format!("there is no setting {name}; did you mean {PREFIX}{meant}?"),
        None => format!(
            "there is no setting {name}; there are {PREFIX}{}",
            names.join(&format!(", {PREFIX}"))
        ),
    }
}
