//! Background writes of `WRStats`: queued, never waiting, never throwing for the network.

use std::time::Duration;

use super::{bad_key, key_rule, step, ttl, with_client};
use crate::client::handle::Handle;
use crate::php::zend::{Call, Digits, Thrown, View};
use crate::protocol::key::KeyError;
use crate::protocol::request::Action;

/// Longest `$timeout` of `sync()`, in seconds.
const LONGEST_SYNC: f64 = 3600.0;

/// `incr(string $key, int $step = 1, int $ttl = 0, ?int $init = null): bool`
pub fn incr(call: &mut Call) -> Result<bool, Thrown> {
    let key = call.bytes()?;
    let by = step(call.int_or(1)?, 2)?;
    let ttl = ttl(call.int_or(0)?, 3)?;
    let init = match call.int_or_null()? {
        None => by,
        Some(init) => step(init, 4)?,
    };
    with_client(call, |client| {
        background(client, key, |client| client.incr(key, by, ttl, init))
    })
}

/// `decr(string $key, int $step = 1): bool`
pub fn decr(call: &mut Call) -> Result<bool, Thrown> {
    let key = call.bytes()?;
    let by = step(call.int_or(1)?, 2)?;
    with_client(call, |client| {
        background(client, key, |client| {
            client.queue(key, Action::Decr { step: by })
        })
    })
}

/// Queues one command on `key`, the first argument, and keeps why if it was refused.
#[inline(always)]
pub(super) fn background(
    client: &mut Handle,
    key: &[u8],
    queue: impl FnOnce(&Handle) -> Result<bool, KeyError>,
) -> Result<bool, Thrown> {
    client.clear_failure();
    let taken = queue(client).map_err(|error| bad_key(1, &error))?;
    if !taken {
        client.note_refusal(key);
    }
    Ok(taken)
}

/// `incrMulti(array $steps, int $ttl = 0): bool`
pub fn incr_multi(call: &mut Call) -> Result<bool, Thrown> {
    let steps = call.array()?;
    let ttl = ttl(call.int_or(0)?, 2)?;
    with_client(call, |client| {
        client.clear_failure();
        let mut digits = Digits::default();
        // All of it is checked before any of it is queued.
        for (key, by) in steps.iter(call) {
            let key = key.bytes(&mut digits);
            client
                .parts(key)
                .check()
                .map_err(|error| bad_element(1, key, &error))?;
            match by {
                View::Int(0..) => {}
                View::Int(_) => {
                    let message = format!(
                        "must hold steps greater than or equal to 0, {} is negative",
                        named(key)
                    );
                    return Err(Thrown::argument_value(1, message));
                }
                other => {
                    let message =
                        format!("must hold ints, {} is {}", named(key), other.type_name());
                    return Err(Thrown::argument_type(1, message));
                }
            }
        }
        let mut all = true;
        for (key, by) in steps.iter(call) {
            let View::Int(by) = by else { continue };
            let key = key.bytes(&mut digits);
            let taken = client
                .incr(key, by as u64, ttl, by as u64)
                .map_err(|error| bad_element(1, key, &error))?;
            if !taken {
                client.note_refusal(key);
                all = false;
            }
        }
        Ok(all)
    })
}

/// `flush(): bool`
pub fn flush(call: &mut Call) -> Result<bool, Thrown> {
    with_client(call, |client| {
        client.clear_failure();
        Ok(client.flush())
    })
}

/// `sync(?float $timeout = null): bool`
pub fn sync(call: &mut Call) -> Result<bool, Thrown> {
    let timeout = match call.float_or_null()? {
        None => None,
        Some(seconds) if (0.0..=LONGEST_SYNC).contains(&seconds) => {
            Some(Duration::from_secs_f64(seconds))
        }
        Some(_) => {
            let message = "must be null or a number of seconds between 0 and 3600";
            return Err(Thrown::argument_value(1, message));
        }
    };
    with_client(call, |client| Ok(client.sync(timeout)))
}

/// A key for messages.
pub(super) fn named(key: &[u8]) -> String {
    let shown = &key[..key.len().min(80)];
    let more = if shown.len() < key.len() { "..." } else { "" };
    format!("\"{}{more}\"", shown.escape_ascii())
}

/// A bad key in an array, which is argument `number`.
#[cold]
pub(super) fn bad_element(number: u32, key: &[u8], error: &KeyError) -> Thrown {
    let rule = key_rule(error);
    let rule = rule.strip_prefix("must be ").unwrap_or(&rule);
    Thrown::argument_value(
        number,
        format!("must hold keys of {rule} in {}", named(key)),
    )
}
