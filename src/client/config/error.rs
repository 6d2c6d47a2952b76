//! What is said about a setting that can't be used.

use std::fmt;

use super::super::input::Input;
use super::KEYS;

/// Longest part of a value that a message repeats, in bytes.
const SHOWN: usize = 60;

/// A setting that can't be used. The text begins with the setting's name, so that `wrstats.` may be put
/// before it for an ini entry; it names the accepted form, unit and range; what was given is escaped, cut
/// short, and left out where it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    key: &'static str,
    problem: String,
}

impl ConfigError {
    /// `key must be form, value given`.
    pub(super) fn form(key: &'static str, form: &str, given: &Input) -> Self {
        ConfigError {
            key,
            problem: format!(" must be {form}, {} given", describe(given)),
        }
    }

    /// `key: problem`.
    pub(super) fn new(key: &'static str, problem: impl fmt::Display) -> Self {
        ConfigError {
            key,
            problem: format!(": {problem}"),
        }
    }

    /// The setting concerned; `config` when it is the whole.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.key, self.problem)
    }
}

/// `text` in quotes: printable ASCII as it is, the rest escaped, cut after 60 bytes.
pub(super) fn quote(text: &[u8]) -> String {
    let shown = &text[..text.len().min(SHOWN)];
    let more = if shown.len() < text.len() { "..." } else { "" };
    format!("\"{}{more}\"", shown.escape_ascii())
}

fn describe(value: &Input) -> String {
    match value {
        Input::Null => "null".into(),
        Input::Bool(value) => value.to_string(),
        Input::Int(value) => value.to_string(),
        Input::Float(value) => format!("{value:?}"),
        Input::Bytes(value) => quote(value),
        Input::Array(_) => "array".into(),
        Input::Other(kind) => kind.clone(),
    }
}

/// The name of a setting that doesn't exist, and the one that was meant.
pub(super) fn unknown_key(name: &[u8]) -> ConfigError {
    let meant = closest(name, KEYS);
    let name = quote(name);
    let problem = match meant {
        Some(key) => format!("there is no setting {name}; did you mean \"{key}\"?"),
        None => format!("there is no setting {name}; there are {}", KEYS.join(", ")),
    };
    ConfigError::new("config", problem)
}

/// The one of these names that was probably meant by `name`, if any is like it.
pub fn closest<'a>(name: &[u8], names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_ascii_lowercase();
    names
        .into_iter()
        .map(|key| (distance(key.as_bytes(), &lower), key))
        .min()
        .filter(|(distance, key)| *distance <= 1 + key.len() / 3)
        .map(|(_, key)| key)
}

/// Levenshtein's distance; of long text only the beginning counts.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let b = &b[..b.len().min(32)];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let long = vec![b'x'; 61];
        #[rustfmt::skip]
        let cases = [
            (Input::Null, "null".to_owned()),
            (Input::Bool(true), "true".into()),
            (Input::Int(-3), "-3".into()),
            (Input::Float(0.5), "0.5".into()),
            (Input::Float(f64::INFINITY), "inf".into()),
            (Input::Float(1e300), "1e300".into()),
            (Input::Bytes(b"a\"\r\n\xc3".to_vec()), r#""a\"\r\n\xc3""#.into()),
            (Input::Bytes(long[..60].to_vec()), format!("\"{}\"", "x".repeat(60))),
            (Input::Bytes(long), format!("\"{}...\"", "x".repeat(60))),
            (Input::Array(vec![]), "array".into()),
            (Input::Other("object".into()), "object".into()),
        ];
        for (value, text) in cases {
            let error = ConfigError::form("noreply", "true or false", &value);
            assert_eq!(
                error.to_string(),
                format!("noreply must be true or false, {text} given")
            );
        }
        assert_eq!(
            ConfigError::new("servers", "none").to_string(),
            "servers: none"
        );
    }
}
