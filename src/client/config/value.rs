//! How a setting that came in (a PHP value, ini or DSN text) is read as what it stands for.

use std::time::Duration;

use super::super::input::Input;
use super::error::ConfigError;

type Outcome<T> = Result<T, ConfigError>;

/// The text of a string without the white space around it, as PHP reads numeric strings.
fn trimmed(value: &Input) -> Option<&str> {
    match value {
        Input::Bytes(text) => std::str::from_utf8(text).ok().map(str::trim_ascii),
        _ => None,
    }
}

/// The meaning of `On`, `yes`, `true`, `1` and their opposites; the empty string is what PHP's ini files
/// make of `Off`.
pub(super) fn as_bool(value: &Input) -> Option<bool> {
    match value {
        Input::Bool(value) => Some(*value),
        Input::Int(0) => Some(false),
        Input::Int(1) => Some(true),
        _ => match trimmed(value)?.to_ascii_lowercase().as_str() {
            "on" | "yes" | "true" | "1" => Some(true),
            "off" | "no" | "false" | "0" | "" => Some(false),
            _ => None,
        },
    }
}

/// A bool.
pub(super) fn bool(key: &'static str, value: &Input) -> Outcome<bool> {
    as_bool(value).ok_or_else(|| ConfigError::form(key, "true or false", value))
}

/// A number of seconds within `range`.
pub(super) fn seconds(key: &'static str, value: &Input, range: (f64, f64)) -> Outcome<Duration> {
    let (least, most) = range;
    let seconds = match value {
        #[expect(clippy::cast_precision_loss, reason = "far beyond every range")]
        Input::Int(value) => Some(*value as f64),
        Input::Float(value) => Some(*value),
        // Rust would also read "inf" and "nan".
        _ => trimmed(value)
            .filter(|text| {
                text.bytes()
                    .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
            })
            .and_then(|text| text.parse().ok()),
    };
    seconds
        .filter(|seconds| (least..=most).contains(seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| {
            ConfigError::form(
                key,
                &format!("a number of seconds from {least} to {most}"),
                value,
            )
        })
}

/// A size in bytes within `range`; text may end in K, M or G, as in php.ini.
pub(super) fn size(key: &'static str, value: &Input, range: (usize, usize)) -> Outcome<usize> {
    let (least, most) = range;
    let bytes = match value {
        Input::Int(value) => usize::try_from(*value).ok(),
        _ => trimmed(value).and_then(|text| {
            let (digits, shift) = match text.as_bytes().last() {
                Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
                Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
                Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
                _ => (text, 0),
            };
            let digits =
                Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
            digits.parse::<usize>().ok()?.checked_mul(1 << shift)
        }),
    };
    bytes
        .filter(|bytes| (least..=most).contains(bytes))
        .ok_or_else(|| {
            let form =
                format!("a number of bytes from {least} to {most} (K, M and G may follow it)");
            ConfigError::form(key, &form, value)
        })
}

/// A whole number; whether it fits is for the caller to say.
pub(super) fn int(value: &Input) -> Option<i64> {
    match value {
        Input::Int(value) => Some(*value),
        _ => trimmed(value).and_then(|text| text.parse().ok()),
    }
}

/// One of a few words, in any case.
pub(super) fn word<T: Copy>(key: &'static str, value: &Input, words: &[(&str, T)]) -> Outcome<T> {
    let text = trimmed(value);
    let found = words
        .iter()
        .find(|(word, _)| text.is_some_and(|text| text.eq_ignore_ascii_case(word)));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words: Vec<_> = words
            .iter()
            .map(|(word, _)| format!("\"{word}\""))
            .collect();
        let (last, others) = words.split_last().expect("there are words");
        ConfigError::form(key, &format!("{} or {last}", others.join(", ")), value)
    })
}

/// Text that becomes part of keys: no byte that memcached's protocol ends a key at.
pub(super) fn key_text(key: &'static str, value: &Input) -> Outcome<Vec<u8>> {
    let text = match value {
        Input::Bytes(text) => text.clone(),
        Input::Int(number) => number.to_string().into_bytes(),
        _ => return Err(ConfigError::form(key, "a string", value)),
    };
    if text.iter().any(|&byte| byte <= b' ' || byte == 0x7f) {
        return Err(ConfigError::form(
            key,
            "a string without spaces and control characters",
            value,
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Input {
        Input::Bytes(text.into())
    }

    #[test]
    fn bools() {
        #[rustfmt::skip]
        let cases = [
            (&["On", "yes", "TRUE", "1", " on "][..], Some(true)),
            (&["Off", "no", "false", "0", ""], Some(false)),
            (&["abc", "-1", "2", "1.0", "onn"], None),
        ];
        for (words, expected) in cases {
            for word in words {
                assert_eq!(as_bool(&text(word)), expected, "{word}");
            }
        }
        assert_eq!(as_bool(&Input::Int(1)), Some(true));
        assert_eq!(as_bool(&Input::Int(2)), None);
        assert_eq!(as_bool(&Input::Float(1.0)), None);
    }

    #[test]
    fn numbers_of_seconds() {
        let millis = Duration::from_millis;
        #[rustfmt::skip]
        let cases = [
            (Input::Int(2), Some(millis(2000))),
            (Input::Float(0.25), Some(millis(250))),
            (Input::Float(0.001), Some(millis(1))),
            (Input::Float(60.0), Some(millis(60_000))),
            (text("0.2"), Some(millis(200))),
            (text(" 2e-1 "), Some(millis(200))),
            (text("+.5"), Some(millis(500))),
            (Input::Float(0.0009), None),
            (Input::Int(61), None),
            (Input::Int(-1), None),
            (Input::Float(f64::NAN), None),
            (Input::Float(f64::INFINITY), None),
            (text("inf"), None),
            (text("200ms"), None),
            (text("0,5"), None),
            (text("1 2"), None),
            (text(""), None),
            (text("1e999"), None),
            (Input::Bool(true), None),
            (Input::Null, None),
            (Input::Other("object".into()), None),
        ];
        for (value, expected) in cases {
            assert_eq!(
                seconds("timeout", &value, (0.001, 60.0)).ok(),
                expected,
                "{value:?}"
            );
        }
        assert_eq!(
            seconds("timeout", &text("abc"), (0.001, 60.0))
                .unwrap_err()
                .to_string(),
            "timeout must be a number of seconds from 0.001 to 60, \"abc\" given",
        );
    }

    #[test]
    fn sizes() {
        #[rustfmt::skip]
        let cases = [
            (Input::Int(4096), Some(4096)),
            (text("8m"), Some(8 << 20)),
            (text("4K"), Some(4096)),
            (text("1G"), Some(1 << 30)),
            (text("1073741825"), None),
            (text("M"), None),
            (text("+8M"), None),
            (text("99999999999999999999"), None),
            (text("18446744073709551615G"), None),
            (Input::Int(-1), None),
            (Input::Int(4095), None),
            (Input::Float(5000.0), None),
        ];
        for (value, expected) in cases {
            assert_eq!(
                size("buffer_bytes", &value, (4096, 1 << 30)).ok(),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn words_and_text() {
        let words = [("auto", 1), ("meta", 2)];
        assert_eq!(word("protocol", &text("META"), &words), Ok(2));
        assert_eq!(
            word("protocol", &Input::Int(7), &words)
                .unwrap_err()
                .to_string(),
            "protocol must be \"auto\" or \"meta\", 7 given",
        );
        assert_eq!(key_text("prefix", &Input::Int(7)), Ok(b"7".to_vec()));
        assert_eq!(
            key_text("prefix", &text("caf\u{e9}:")),
            Ok("caf\u{e9}:".into())
        );
        for bad in ["a b", "a\r\nflush_all\r\n", "\0", "\x7f"] {
            assert!(key_text("prefix", &text(bad)).is_err(), "{bad:?}");
        }
        assert!(key_text("prefix", &Input::Bool(true)).is_err());
    }
}
