//! The grammar of addresses.

use std::net::Ipv6Addr;

use super::{DEFAULT_PORT, Endpoint, EndpointError, MAX_HOST};

/// The address in `text`, and the digits of its weight.
pub(super) fn split(text: &[u8]) -> Result<(Endpoint, Option<&[u8]>), EndpointError> {
    check_bytes(text)?;
    if let Some(path) = socket_path(text) {
        let Some((before, last)) = split_number(path) else {
            return Ok((Endpoint::unix(path, 0)?, None));
        };
        let (path, port, weight) = match split_number(before) {
            None => (before, last, None),
            Some((path, port)) => (path, port, Some(last)),
        };
        let port = digits_to_i64(port).ok_or(EndpointError::PathPort)?;
        return Ok((Endpoint::unix(path, port)?, weight));
    }
    check_scheme(text)?;
    let (host, rest) = if let Some(inner) = text.strip_prefix(b"[") {
        let close = memchr::memchr(b']', inner).ok_or(EndpointError::Brackets)?;
        let (host, rest) = (&inner[..close], &inner[close + 1..]);
        if !is_ipv6(host) || !matches!(rest.first(), None | Some(b':')) {
            return Err(EndpointError::Brackets);
        }
        (host, rest.strip_prefix(b":"))
    } else if let Some((host, port)) = split_number(text)
        && is_ipv6(host)
    {
        let whole = is_ipv6(text);
        let [text, host, port] = [text, host, port].map(|part| String::from_utf8_lossy(part));
        return Err(EndpointError::Unbracketed {
            port: format!("[{host}]:{port}"),
            address: whole.then(|| format!("[{text}]")),
        });
    } else if is_ipv6(text) {
        (text, None)
    } else {
        match memchr::memchr(b':', text) {
            None => (text, None),
            Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
        }
    };
    let Some(rest) = rest else {
        return Ok((Endpoint::tcp(host, DEFAULT_PORT)?, None));
    };
    let mut numbers = rest.split(|&byte| byte == b':');
    let (port, weight) = (numbers.next().unwrap_or_default(), numbers.next());
    if numbers.next().is_some() {
        return Err(EndpointError::Colons);
    }
    Ok((
        Endpoint::tcp(host, port_number(digits_to_i64(port))?)?,
        weight,
    ))
}

pub(super) fn check_bytes(text: &[u8]) -> Result<(), EndpointError> {
    if text.is_empty() {
        return Err(EndpointError::Empty);
    }
    match text.iter().position(|&byte| byte <= b' ' || byte == 0x7f) {
        Some(at) => Err(EndpointError::Byte { byte: text[at], at }),
        None => Ok(()),
    }
}

/// The path, if `text` is one of the spellings of a socket.
pub(super) fn socket_path(text: &[u8]) -> Option<&[u8]> {
    if text.starts_with(b"/") {
        return Some(text);
    }
    if let Some(path) = text.strip_prefix(b"unix://") {
        return Some(path);
    }
    // `unix:11211` is a host of that name.
    text.strip_prefix(b"unix:")
        .filter(|path| path.starts_with(b"/"))
}

pub(super) fn check_scheme(text: &[u8]) -> Result<(), EndpointError> {
    if text.contains(&b'@') {
        return Err(EndpointError::Credentials);
    }
    match memchr::memmem::find(text, b"://") {
        None => Ok(()),
        Some(end) if names_tls(&text[..end]) => Err(EndpointError::Tls),
        Some(_) => Err(EndpointError::Scheme),
    }
}

/// Whether a scheme stands for TLS in one of the ways users of memcached write it.
pub(in crate::client) fn names_tls(scheme: &[u8]) -> bool {
    [
        &b"tls"[..],
        b"ssl",
        b"memcacheds",
        b"memcached+tls",
        b"memcached+ssl",
    ]
    .iter()
    .any(|name| scheme.eq_ignore_ascii_case(name))
}

/// `(before, digits)` of text that ends in `:digits`.
pub(super) fn split_number(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memrchr(b':', text)?;
    let digits = &text[colon + 1..];
    let number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    number.then_some((&text[..colon], digits))
}

/// A decimal number without a sign, of at most 18 digits.
pub(super) fn digits_to_i64(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        digits
            .iter()
            .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')),
    )
}

pub(super) fn port_number(port: Option<i64>) -> Result<u16, EndpointError> {
    match port.map(u16::try_from) {
        Some(Ok(port)) if port > 0 => Ok(port),
        _ => Err(EndpointError::Port),
    }
}

/// An IPv6 address, with or without a scope such as `%eth0`.
pub(super) fn is_ipv6(host: &[u8]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else {
        return false;
    };
    let (address, scope) = match host.split_once('%') {
        None => (host, "lo"),
        Some(parts) => parts,
    };
    let scope_fits = !scope.is_empty()
        && scope
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    scope_fits && address.parse::<Ipv6Addr>().is_ok()
}

/// Bytes that host names are made of; whether the name exists is the resolver's word. Digits alone are most
/// likely a port, and would be an address to `inet_aton(3)`.
pub(super) fn is_host_name(host: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte) || *byte >= 0x80;
    let only_digits = host.iter().all(u8::is_ascii_digit);
    !only_digits && host.len() <= MAX_HOST && host.iter().all(fits)
}
