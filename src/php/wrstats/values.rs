//! Calls of `WRStats` on one value.

use super::background::background;
use super::{Shape, call_error, flags, shape, ttl, with_client};
use crate::connection::asks::Answer;
use crate::php::zend::{Call, Either, NewArray, Thrown};
use crate::protocol::request::{Action, StoreMode};

/// `get(string $key, int $getFlags = 0): string|array|null`
pub fn get(call: &mut Call) -> Result<Option<Either<Vec<u8>, NewArray>>, Thrown> {
    let key = call.bytes()?;
    let shape = shape(call.int_or(0)?, 2)?;
    let item = with_client(call, |client| {
        client
            .get(key, shape.with_cas())
            .map_err(|error| call_error(error, 1))
    })?;
    Ok(item.map(|item| match shape {
        Shape::Bytes => Either::A(item.value),
        _ => Either::B(fields(shape, &item.value, item.flags, item.cas)),
    }))
}

/// What `GET_EXTENDED` and `GET_FLAGS` answer for a key.
pub(super) fn fields(shape: Shape, value: &[u8], flags: u32, cas: u64) -> NewArray {
    let mut array = NewArray::with_capacity(3);
    array.insert(b"value", value);
    array.insert(b"flags", i64::from(flags));
    if shape.with_cas() {
        // An opaque number: above PHP_INT_MAX it comes back negative, and cas() reads it the same way.
        array.insert(b"cas", cas.cast_signed());
    }
    array
}

/// `set(string $key, string $value, int $ttl = 0, int $flags = 0, bool $background = false): bool`
pub fn set(call: &mut Call) -> Result<bool, Thrown> {
    store(call, StoreMode::Set)
}

/// `add(string $key, string $value, int $ttl = 0, int $flags = 0, bool $background = false): bool`
pub fn add(call: &mut Call) -> Result<bool, Thrown> {
    store(call, StoreMode::Add)
}

/// `replace(string $key, string $value, int $ttl = 0, int $flags = 0, bool $background = false): bool`
pub fn replace(call: &mut Call) -> Result<bool, Thrown> {
    store(call, StoreMode::Replace)
}

fn store(call: &mut Call, mode: StoreMode) -> Result<bool, Thrown> {
    let key = call.bytes()?;
    let value = call.bytes()?;
    let ttl = ttl(call.int_or(0)?, 3)?;
    let flags = flags(call.int_or(0)?, 4)?;
    let in_background = call.bool_or(false)?;
    change(
        call,
        key,
        Action::Store {
            mode,
            flags,
            ttl,
            value,
        },
        in_background,
    )
}

/// `cas(int $cas, string $key, string $value, int $ttl = 0, int $flags = 0): ?bool`
pub fn cas(call: &mut Call) -> Result<Option<bool>, Thrown> {
    let unique = call.int()?.cast_unsigned();
    let key = call.bytes()?;
    let value = call.bytes()?;
    let ttl = ttl(call.int_or(0)?, 4)?;
    let flags = flags(call.int_or(0)?, 5)?;
    let action = Action::Store {
        mode: StoreMode::Cas(unique),
        flags,
        ttl,
        value,
    };
    let answer = with_client(call, |client| {
        client
            .write(key, action)
            .map_err(|error| call_error(error, 2))
    })?;
    Ok(match answer {
        Answer::Done => Some(true),
        Answer::Missing => None,
        _ => Some(false),
    })
}

/// `delete(string $key, bool $background = false): bool`
pub fn delete(call: &mut Call) -> Result<bool, Thrown> {
    let key = call.bytes()?;
    let in_background = call.bool_or(false)?;
    change(call, key, Action::Delete, in_background)
}

/// `touch(string $key, int $ttl, bool $background = false): bool`
pub fn touch(call: &mut Call) -> Result<bool, Thrown> {
    let key = call.bytes()?;
    let ttl = ttl(call.int()?, 2)?;
    let in_background = call.bool_or(false)?;
    change(call, key, Action::Touch { ttl }, in_background)
}

/// Changes one item, now or in the background.
fn change(
    call: &Call,
    key: &[u8],
    action: Action<'_>,
    in_background: bool,
) -> Result<bool, Thrown> {
    with_client(call, |client| {
        if in_background {
            return background(client, key, |client| client.queue(key, action));
        }
        let answer = client
            .write(key, action)
            .map_err(|error| call_error(error, 1))?;
        Ok(answer == Answer::Done)
    })
}
