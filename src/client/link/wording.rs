//! How a link tells what is wrong with its server, and what to look at.

use std::io;
use std::time::Duration;

use crate::connection::Broken;

/// Why a connection was thrown away.
pub(super) fn broken(broken: Broken) -> String {
    match broken {
        Broken::NotMeta => not_spoken(None),
        Broken::NotSpoken(version) => not_spoken(version.as_deref()),
        Broken::Refused(line) if line.starts_with("CLIENT_ERROR unauthenticated") => {
            "wants a user name and password, which wrstats can't give yet: start it without -Y"
                .into()
        }
        Broken::Refused(line) => format!("refused to talk: {}", printable(&line)),
        Broken::Unexpected(what) => format!("sent a reply {what}"),
        Broken::Malformed(malformed) => format!("sent {}", malformed.text()),
    }
}

/// Meta was demanded of a server that does not speak it.
pub(super) fn not_spoken(version: Option<&str>) -> String {
    let what = match version {
        Some(version) => format!(
            "this server (version {}) speaks classic only",
            printable(version)
        ),
        None => "what answers there closes on it, as proxies do".into(),
    };
    format!(
        "protocol \"meta\" was asked for, but {what}; use \"auto\" or \"classic\", or memcached 1.6.10 or later"
    )
}

/// Text of a server's, fit for a message.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .take(200)
        .flat_map(char::escape_debug)
        .collect()
}

/// What happened, and what to look at where the answer is nearly always the same.
pub(super) fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    let Some(end) = text.find(" (os error") else {
        return text;
    };
    let what = text[..end].to_lowercase();
    let ask = match error.kind() {
        io::ErrorKind::ConnectionRefused => "is memcached running there?",
        io::ErrorKind::NotFound => "is memcached running with `-s` and this path?",
        io::ErrorKind::PermissionDenied => {
            "may this user write to the socket? memcached's `-a` says who may"
        }
        _ => return what,
    };
    format!("{what}; {ask}")
}

/// `0.25 s`.
pub(super) fn seconds(duration: Duration) -> String {
    format!("{} s", (duration.as_secs_f64() * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::describe;
    use std::io::{Error, ErrorKind};

    #[test]
    fn what_keeps_us_out_is_told_with_what_to_look_at() {
        // ECONNREFUSED, ENOENT, EACCES, ECONNRESET
        for (number, told) in [
            (111, "connection refused; is memcached running there?"),
            (
                2,
                "no such file or directory; is memcached running with `-s` and this path?",
            ),
            (
                13,
                "permission denied; may this user write to the socket? memcached's `-a` says who may",
            ),
            (104, "connection reset by peer"),
        ] {
            assert_eq!(describe(&Error::from_raw_os_error(number)), told);
        }
        let ours = Error::new(ErrorKind::NotFound, "the name has no address");
        assert_eq!(describe(&ours), "the name has no address");
    }
}
