//! The list of servers, in the forms that users write one.

use super::super::input::{Input, InputKey};
use super::error::{ConfigError, quote};
use super::value::int;
use super::{MAX_SERVERS, Servers};
use crate::client::endpoint::{EndpointError, Server};

const KEY: &str = "servers";
const FORM: &str =
    "a list of \"host:port\", \"/path.sock\" or ['host' => ..., 'port' => ...], or \"memory:\"";

/// Reads the setting `servers`: text with commas, a list, or one server's array.
///
/// # Errors
/// See [`Servers`].
pub(super) fn servers(value: &Input) -> Result<Servers, ConfigError> {
    match value {
        Input::Bytes(text) => {
            let servers = from_texts(text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii));
            // A password may hold the comma.
            let may_show = !text.contains(&b'@');
            servers.map_err(|error| {
                if may_show {
                    error
                } else {
                    ConfigError::new(KEY, EndpointError::Credentials)
                }
            })
        }
        Input::Array(list) if list.iter().any(|(key, _)| is_key(key, b"host")) => {
            collect([server_of_array(list)])
        }
        Input::Array(list) => {
            if let [(_, Input::Bytes(text))] = &list[..]
                && text == b"memory:"
            {
                return Ok(Servers::Memory);
            }
            collect(list.iter().map(|(_, item)| match item {
                Input::Bytes(text) => server_of_text(text),
                Input::Array(parts) => server_of_array(parts),
                _ => Err(ConfigError::form(KEY, FORM, item)),
            }))
        }
        _ => Err(ConfigError::form(KEY, FORM, value)),
    }
}

/// Servers from their texts, or `memory:` alone.
pub(super) fn from_texts<'a>(
    texts: impl Iterator<Item = &'a [u8]>,
) -> Result<Servers, ConfigError> {
    let mut texts = texts.peekable();
    let first = texts.next_if(|text| *text == b"memory:");
    if let Some(memory) = first {
        return match texts.next() {
            None => Ok(Servers::Memory),
            Some(_) => collect([server_of_text(memory)]),
        };
    }
    collect(texts.map(server_of_text))
}

fn collect(
    servers: impl IntoIterator<Item = Result<Server, ConfigError>>,
) -> Result<Servers, ConfigError> {
    let mut list: Vec<Server> = Vec::new();
    let mut names = std::collections::HashSet::new();
    for server in servers {
        let server = server?;
        // One server twice would get twice the keys on a ring and none of the mapping that was meant.
        if !names.insert(server.endpoint().name().to_vec()) {
            let name = quote(server.endpoint().name());
            return Err(ConfigError::new(
                KEY,
                format!("{name} is there twice; give its share of keys as a weight"),
            ));
        }
        if list.len() == MAX_SERVERS {
            return Err(ConfigError::new(KEY, format!("more than {MAX_SERVERS}")));
        }
        list.push(server);
    }
    if list.is_empty() {
        return Err(ConfigError::new(KEY, "the list is empty"));
    }
    Ok(Servers::Remote(list))
}

fn server_of_text(text: &[u8]) -> Result<Server, ConfigError> {
    if text == b"memory:" {
        return Err(ConfigError::new(KEY, "\"memory:\" stands alone"));
    }
    Server::parse(text).map_err(|error| refused(&error, text))
}

/// `['host' => …, 'port' => …, 'weight' => …]`, or the same by position as for PECL's `addServers()`.
fn server_of_array(parts: &[(InputKey, Input)]) -> Result<Server, ConfigError> {
    let (mut host, mut port, mut weight) = (None, None, None);
    for (key, value) in parts {
        let (place, name) = if is_key(key, b"host") || *key == InputKey::Int(0) {
            (&mut host, "host")
        } else if is_key(key, b"port") || *key == InputKey::Int(1) {
            (&mut port, "port")
        } else if is_key(key, b"weight") || *key == InputKey::Int(2) {
            (&mut weight, "weight")
        } else {
            return Err(ConfigError::new(
                KEY,
                "a server's array has the keys 'host', 'port' and 'weight'",
            ));
        };
        if *value != Input::Null && place.replace(value).is_some() {
            return Err(ConfigError::new(
                KEY,
                format!("a server's {name} is there twice"),
            ));
        }
    }
    let Some(Input::Bytes(host)) = host else {
        return Err(ConfigError::new(
            KEY,
            "a server's array needs a string under 'host'",
        ));
    };
    let number = |value: Option<&Input>, error: EndpointError| match value {
        None => Ok(None),
        Some(value) => int(value).map(Some).ok_or_else(|| refused(&error, host)),
    };
    let port = number(port, EndpointError::Port)?;
    let weight = number(weight, EndpointError::Weight)?;
    Server::from_parts(host, port, weight).map_err(|error| refused(&error, host))
}

fn refused(error: &EndpointError, text: &[u8]) -> ConfigError {
    // What comes before an @ may be a password.
    if text.contains(&b'@') {
        return ConfigError::new(KEY, error);
    }
    ConfigError::new(KEY, format!("{error}, {} given", quote(text)))
}

fn is_key(key: &InputKey, name: &[u8]) -> bool {
    matches!(key, InputKey::Bytes(bytes) if bytes == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Input::{Array, Bytes, Int, Null};

    fn text(text: &str) -> Input {
        Bytes(text.into())
    }
    fn list(items: impl IntoIterator<Item = Input>) -> Input {
        Array(
            items
                .into_iter()
                .zip(0..)
                .map(|(item, at)| (InputKey::Int(at), item))
                .collect(),
        )
    }
    fn map<const N: usize>(items: [(&str, Input); N]) -> Input {
        Array(
            items
                .into_iter()
                .map(|(key, item)| (InputKey::Bytes(key.into()), item))
                .collect(),
        )
    }
    fn names(value: &Input) -> Result<Vec<String>, String> {
        match servers(value) {
            Ok(Servers::Memory) => Ok(vec!["memory:".into()]),
            Ok(Servers::Remote(list)) => Ok(list
                .iter()
                .map(|server| format!("{} {}", server.endpoint(), server.weight()))
                .collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn forms() {
        #[rustfmt::skip]
        let cases = [
            (text("h:1, [::1]:2:3,/s"), &["h:1 1", "[::1]:2 3", "/s 1"][..]),
            (text("memory:"), &["memory:"]),
            (list([text("memory:")]), &["memory:"]),
            (list([text("h"), text("h:2")]), &["h:11211 1", "h:2 1"]),
            (map([("host", text("h")), ("port", Int(5)), ("weight", text("7"))]), &["h:5 7"]),
            (list([map([("host", text("/s")), ("port", Int(0))])]), &["/s 1"]),
            (list([map([("host", text("h")), ("port", Null)])]), &["h:11211 1"]),
            (list([list([text("::1"), text("5"), Int(9)]), list([text("g")])]), &["[::1]:5 9", "g:11211 1"]),
            (map([("one", text("h"))]), &["h:11211 1"]),
        ];
        for (value, expected) in cases {
            assert_eq!(names(&value).unwrap(), expected, "{value:?}");
        }
    }

    #[test]
    fn refusals() {
        let many: Vec<_> = (0..=MAX_SERVERS)
            .map(|at| text(&format!("h{at}")))
            .collect();
        #[rustfmt::skip]
        let cases = [
            (text(""), "servers: it is empty, \"\" given"),
            (text("h,"), "servers: it is empty, \"\" given"),
            (list([]), "servers: the list is empty"),
            (list(many), "servers: more than 1000"),
            (text("h:1,g,h:1:5"), "servers: \"h:1\" is there twice; give its share of keys as a weight"),
            (text("memory:,h"), "servers: \"memory:\" stands alone"),
            (list([text("h"), text("memory:")]), "servers: \"memory:\" stands alone"),
            (text("h:x"), "servers: the port must be a number from 1 to 65535, \"h:x\" given"),
            (text("u:sec,ret@h"), "servers: user names and passwords are not supported"),
            (list([text("u:secret@h")]), "servers: user names and passwords are not supported"),
            (text("tls://h"), "servers: TLS is not supported, \"tls://h\" given"),
            (map([("host", text("u:secret@h")), ("port", text("x"))]), "servers: the port must be a number from 1 to 65535"),
            (map([("host", Int(5))]), "servers: a server's array needs a string under 'host'"),
            (list([map([("port", Int(5))])]), "servers: a server's array needs a string under 'host'"),
            (
                list([map([("host", text("h")), ("prot", Int(5))])]),
                "servers: a server's array has the keys 'host', 'port' and 'weight'",
            ),
            (
                list([Array(vec![(InputKey::Int(0), text("h")), (InputKey::Bytes(b"host".to_vec()), text("g"))])]),
                "servers: a server's host is there twice",
            ),
        ];
        for (value, message) in cases {
            assert_eq!(names(&value).unwrap_err(), message, "{value:?}");
        }
        for value in [
            Int(11211),
            Null,
            Input::Other("object".into()),
            list([Int(11211)]),
        ] {
            assert!(
                names(&value)
                    .unwrap_err()
                    .starts_with("servers must be a list of \"host:port\""),
                "{value:?}"
            );
        }
    }
}
