//! What happened: errors, servers and books of a `WRStats`.

use super::{bad_key, with_client};
use crate::php::zend::{Call, NewArray, Thrown};

/// `lastError(): ?string`
pub fn last_error(call: &mut Call) -> Result<Option<String>, Thrown> {
    with_client(call, |client| Ok(client.failure().map(ToString::to_string)))
}

/// `lastErrorCode(): int`
pub fn last_error_code(call: &mut Call) -> Result<i64, Thrown> {
    with_client(call, |client| {
        Ok(client.failure().map_or(0, |failure| failure.code as i64))
    })
}

/// `servers(): array`
pub fn servers(call: &mut Call) -> Result<NewArray, Thrown> {
    let servers = with_client(call, |client| Ok(client.servers()))?;
    let mut array = NewArray::with_capacity(servers.len());
    for server in servers {
        let mut row = NewArray::with_capacity(8);
        row.insert(b"host", server.host);
        row.insert(b"port", i64::from(server.port));
        row.insert(b"weight", i64::from(server.weight));
        row.insert(b"state", server.state);
        row.insert(b"dialect", server.dialect);
        row.insert(
            b"version",
            (!server.version.is_empty()).then_some(server.version),
        );
        row.insert(b"error", server.error);
        row.insert(b"retry_in", server.retry_in.as_secs_f64());
        array.insert(server.name.as_bytes(), row);
    }
    Ok(array)
}

/// `serverFor(string $key): string`
pub fn server_for(call: &mut Call) -> Result<String, Thrown> {
    let key = call.bytes()?;
    with_client(call, |client| {
        client
            .parts(key)
            .check()
            .map_err(|error| bad_key(1, &error))?;
        Ok(client.server_for(key))
    })
}

/// `metrics(): array`
pub fn metrics(call: &mut Call) -> Result<NewArray, Thrown> {
    let books = with_client(call, |client| Ok(client.metrics()))?;
    let mut array = NewArray::with_capacity(20);
    for (name, value) in books.rows() {
        array.insert(name.as_bytes(), value.cast_signed());
    }
    Ok(array)
}
