//! Counter calls of `WRStats` that wait for the value.

use super::multi::{keys, share_key};
use super::{call_error, exception, step, ttl, with_client};
use crate::client::handle::Handle;
use crate::connection::asks::Answer;
use crate::php::zend::{Call, NewArray, Thrown};
use crate::protocol::number;
use crate::protocol::request::Action;

/// `incrAndGet(string $key, int $step = 1, int $ttl = 0, ?int $init = null): int`
pub fn incr_and_get(call: &mut Call) -> Result<i64, Thrown> {
    let key = call.bytes()?;
    let by = step(call.int_or(1)?, 2)?;
    let ttl = ttl(call.int_or(0)?, 3)?;
    let init = match call.int_or_null()? {
        None => by,
        Some(init) => step(init, 4)?,
    };
    with_client(call, |client| {
        let action = Action::Incr {
            step: by,
            ttl,
            init,
        };
        match client
            .write(key, action)
            .map_err(|error| call_error(error, 1))?
        {
            Answer::Number(value) => fitting(client, key, value),
            _ => {
                let message = "answered without a value, as a proxy does that does not wait for \
                               its servers, or the counter was removed at that moment";
                Err(exception(&client.unusable(key, message.into())))
            }
        }
    })
}

/// `decrAndGet(string $key, int $step = 1): ?int`
pub fn decr_and_get(call: &mut Call) -> Result<Option<i64>, Thrown> {
    let key = call.bytes()?;
    let by = step(call.int_or(1)?, 2)?;
    with_client(call, |client| {
        let action = Action::Decr { step: by };
        match client
            .write(key, action)
            .map_err(|error| call_error(error, 1))?
        {
            Answer::Number(value) => fitting(client, key, value).map(Some),
            _ => Ok(None),
        }
    })
}

/// A new value as PHP's int.
fn fitting(client: &mut Handle, key: &[u8], value: u64) -> Result<i64, Thrown> {
    i64::try_from(value).map_err(|_| {
        let message = format!("the new value, {value}, is above PHP_INT_MAX");
        exception(&client.unusable(key, message))
    })
}

/// `getCounters(array $keys): array`
pub fn get_counters(call: &mut Call) -> Result<NewArray, Thrown> {
    let given = call.array()?;
    let answers = with_client(call, |client| {
        let keys = keys(client, given, call)?;
        Ok(client.get_many(&keys, false))
    })?;
    let mut counters = NewArray::with_capacity(given.len());
    for (answer, (_, key)) in answers.iter().zip(given.iter(call)) {
        if let Answer::Value { data, .. } = answer
            && let Some(value) = number::parse_stored(answers.bytes(data))
            && let Ok(value) = i64::try_from(value)
        {
            share_key(&mut counters, key, value);
        }
    }
    Ok(counters)
}
