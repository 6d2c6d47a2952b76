//! Configuration as one string.
//!
//! ```text
//! memcached://10.0.0.1:11211,10.0.0.2:11211:3?timeout=0.2&prefix=app:
//! memcached:///run/memcached.sock
//! memory:
//! 10.0.0.1:11211,/run/memcached.sock        (as in the ini setting wrstats.servers)
//! ```
//!
//! Before the `?` are the servers, each as in [`endpoint`](crate::client::endpoint); behind it settings by their
//! names. `%XX` stands for a byte on both sides.

use std::borrow::Cow;

use super::super::input::Input;
use super::{Config, ConfigError, Servers};
use crate::client::endpoint::names_tls;

impl Config {
    /// The settings of a DSN; those left out come from `base` (the ini settings), but prefix, route,
    /// keyspace and `long_keys` from the defaults. Servers are never left out.
    ///
    /// # Errors
    /// Another scheme, no server, an unknown or repeated setting, or a value that [`Config::set`] refuses.
    /// Of a DSN with an `@` in it nothing is repeated: there may be a password before it.
    pub fn from_dsn(base: &Config, dsn: &[u8]) -> Result<Config, ConfigError> {
        read(base, dsn).map_err(|error| {
            if dsn.contains(&b'@') {
                return wrong("user names and passwords are not supported; an \"@\" in a value is written %40");
            }
            error
        })
    }
}

fn read(base: &Config, dsn: &[u8]) -> Result<Config, ConfigError> {
    let (place, query) = match memchr::memchr(b'?', dsn) {
        None => (dsn, &b""[..]),
        Some(mark) => (&dsn[..mark], &dsn[mark + 1..]),
    };
    let mut config = base.for_handle();
    config.servers = servers(place)?;
    let mut seen: Vec<Cow<'_, [u8]>> = Vec::new();
    for setting in query
        .split(|&byte| byte == b'&')
        .filter(|setting| !setting.is_empty())
    {
        let Some(equals) = memchr::memchr(b'=', setting) else {
            return Err(wrong("a setting is written name=value"));
        };
        let name = decode(&setting[..equals])?;
        if *name == *b"servers" {
            return Err(wrong(
                "servers stand before the \"?\", with commas between them",
            ));
        }
        config.set(
            &name,
            &Input::Bytes(decode(&setting[equals + 1..])?.into_owned()),
        )?;
        // Only known names come here, so there are few.
        if seen.contains(&name) {
            return Err(wrong(&format!("{} is there twice", name.escape_ascii())));
        }
        seen.push(name);
    }
    Ok(config)
}

fn servers(place: &[u8]) -> Result<Servers, ConfigError> {
    if place.is_empty() {
        return Err(wrong(
            "it is empty; write \"memcached://host:port\" or \"memory:\"",
        ));
    }
    let list = match scheme(place) {
        None if place.eq_ignore_ascii_case(b"memory:") => b"memory:",
        Some((scheme, b"")) if scheme.eq_ignore_ascii_case(b"memory") => b"memory:",
        Some((scheme, list)) if scheme.eq_ignore_ascii_case(b"memcached") => list,
        Some((scheme, _)) if names_tls(scheme) => return Err(wrong("TLS is not supported")),
        Some((scheme, _)) if scheme != b"unix" => {
            return Err(wrong("the scheme must be \"memcached://\" or \"memory:\""));
        }
        _ => place,
    };
    let mut items = list
        .split(|&byte| byte == b',')
        .map(decode)
        .collect::<Result<Vec<_>, _>>()?;
    // The slash that URLs put behind hosts.
    if let Some(last) = items.last_mut()
        && !last.starts_with(b"/")
        && let Some(host) = last.strip_suffix(b"/")
    {
        *last = host.to_vec().into();
    }
    super::servers::from_texts(items.iter().map(|item| item.trim_ascii()))
}

/// `(scheme, rest)` of text that begins with `scheme://`.
fn scheme(place: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memmem::find(place, b"://")?;
    let scheme = &place[..end];
    let fits = scheme
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
    fits.then_some((scheme, &place[end + 3..]))
}

/// Replaces `%XX`.
fn decode(text: &[u8]) -> Result<Cow<'_, [u8]>, ConfigError> {
    if !text.contains(&b'%') {
        return Ok(text.into());
    }
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'%' {
            let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else {
                return Err(wrong("a \"%\" is written %25"));
            };
            decoded.push((high * 16 + low) as u8);
            at += 3;
        } else {
            decoded.push(text[at]);
            at += 1;
        }
    }
    Ok(decoded.into())
}

fn wrong(problem: &str) -> ConfigError {
    ConfigError::new("config", problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::config::Persistent;
    use proptest::prelude::*;
    use std::time::Duration;

    fn read(dsn: &str) -> Result<Config, String> {
        Config::from_dsn(&Config::default(), dsn.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn places() {
        #[rustfmt::skip]
        let cases = [
            ("memcached://h", &["h:11211 1"][..]),
            ("MEMCACHED://h:1/", &["h:1 1"]),
            ("memcached://h:1/?noreply=1", &["h:1 1"]),
            ("memcached://10.0.0.1:1,10.0.0.2:2:5", &["10.0.0.1:1 1", "10.0.0.2:2 5"]),
            ("memcached://[::1]:5,[fe80::1%25lo]", &["[::1]:5 1", "[fe80::1%lo]:11211 1"]),
            ("memcached:///run/m.sock", &["/run/m.sock 1"]),
            ("memcached:///a,/b%2Cc:0:2", &["/a 1", "/b,c 2"]),
            ("h:1, /s,unix:///t", &["h:1 1", "/s 1", "/t 1"]),
            ("unix:///t,h", &["/t 1", "h:11211 1"]),
            ("/run/@m.sock", &["/run/@m.sock 1"]),
            ("memcached:11212", &["memcached:11212 1"]),
        ];
        for (dsn, servers) in cases {
            let Servers::Remote(list) = read(dsn)
                .unwrap_or_else(|error| panic!("{dsn}: {error}"))
                .servers
            else {
                panic!("{dsn}: memory");
            };
            let names: Vec<_> = list
                .iter()
                .map(|one| format!("{} {}", one.endpoint(), one.weight()))
                .collect();
            assert_eq!(names, servers, "{dsn}");
        }
        for dsn in ["memory:", "memory://", "Memory:", "memory:?prefix=p"] {
            assert_eq!(read(dsn).unwrap().servers, Servers::Memory, "{dsn}");
        }
    }

    #[test]
    fn settings() {
        let config =
            read("memcached://h?timeout=0.2&prefix=a%26b%25:&&persistent=a%40b&route=/x/y/")
                .unwrap();
        assert_eq!(config.timeout, Duration::from_millis(200));
        assert_eq!(&*config.prefix, b"a&b%:");
        assert_eq!(config.persistent, Persistent::Named(b"a@b"[..].into()));
        assert_eq!(&*config.route, b"/x/y/");
    }

    #[test]
    fn left_out_settings_come_from_the_ini_but_for_what_belongs_to_a_handle() {
        let mut base = Config::default();
        base.set(b"timeout", &Input::Int(2)).unwrap();
        base.set(b"prefix", &Input::Bytes(b"p".to_vec())).unwrap();
        let config = Config::from_dsn(&base, b"memory:").unwrap();
        assert_eq!(
            (config.timeout, &*config.prefix),
            (Duration::from_secs(2), &b""[..])
        );
    }

    #[test]
    fn refusals() {
        #[rustfmt::skip]
        let cases = [
            ("", "config: it is empty; write \"memcached://host:port\" or \"memory:\""),
            ("?timeout=1", "config: it is empty; write \"memcached://host:port\" or \"memory:\""),
            ("memcached://", "servers: it is empty, \"\" given"),
            ("memcached://?timeout=1", "servers: it is empty, \"\" given"),
            ("redis://h", "config: the scheme must be \"memcached://\" or \"memory:\""),
            ("memory://h", "config: the scheme must be \"memcached://\" or \"memory:\""),
            ("memcacheds://h", "config: TLS is not supported"),
            ("tls://h", "config: TLS is not supported"),
            ("memcached://h:0", "servers: the port must be a number from 1 to 65535, \"h:0\" given"),
            ("memcached://memory:,h", "servers: \"memory:\" stands alone"),
            ("memcached://h?timeout", "config: a setting is written name=value"),
            ("memcached://h?timeout=200ms", "timeout must be a number of seconds from 0.001 to 60, \"200ms\" given"),
            ("memcached://h?timeout=1&timeout=2", "config: timeout is there twice"),
            ("memcached://h?servers=g", "config: servers stand before the \"?\", with commas between them"),
            ("memcached://h?timout=1", "config: there is no setting \"timout\"; did you mean \"timeout\"?"),
            ("memcached://h?prefix=100%", "config: a \"%\" is written %25"),
            ("memcached://h?prefix=%0d%0a", "prefix must be a string without spaces and control characters, \"\\r\\n\" given"),
        ];
        for (dsn, message) in cases {
            assert_eq!(read(dsn).unwrap_err(), message, "{dsn}");
        }
    }

    #[test]
    fn passwords_are_not_repeated() {
        for dsn in [
            "memcached://user:secret@h",
            "redis://user:secret@h",
            "memcached://user:p?secret@h",
            "memcached://user:1?secret=x@h",
            "memcached://user:1?timeout=secret@h",
            "user:secret@h:1",
            "tls://user:secret@h",
        ] {
            assert_eq!(
                read(dsn).unwrap_err(),
                "config: user names and passwords are not supported; an \"@\" in a value is written %40",
                "{dsn}",
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_or_refused_in_one_printable_line(
            dsn in prop_oneof![any::<Vec<u8>>(), "(memcached://)?[a-z0-9:,/%@?&=.\\[\\]]{0,40}".prop_map(String::into_bytes)],
        ) {
            if let Err(error) = Config::from_dsn(&Config::default(), &dsn) {
                prop_assert!(error.to_string().bytes().all(|byte| (0x20..0x7f).contains(&byte)));
            }
        }

        #[test]
        fn encoded_values_come_back(value in proptest::collection::vec(0x21_u8..0x7f, 0..60)) {
            let encoded: String = value.iter().map(|byte| format!("%{byte:02X}")).collect();
            prop_assert_eq!(&*read(&format!("memory:?prefix={encoded}")).unwrap().prefix, &value[..]);
        }
    }
}
