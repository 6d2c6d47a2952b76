//! Calls of `WRStats` on many keys: one exchange with all servers concerned, never an exception for the
//! network.

use super::background::{bad_element, named};
use super::values::fields;
use super::{Shape, flags, shape, ttl, with_client};
use crate::client::handle::Handle;
use crate::connection::asks::Answer;
use crate::php::zend::{Array, Call, Digits, NewArray, Thrown, ToPhp, View};
use crate::protocol::key::KeyList;
use crate::protocol::request::{Action, Command, StoreMode};

/// The wire keys of a list of keys, which is argument 1. Keys may be ints, as PHP makes ints of them.
pub(super) fn keys(client: &Handle, given: Array<'_>, call: &Call) -> Result<KeyList, Thrown> {
    let mut keys = KeyList::new();
    let mut digits = Digits::default();
    for (_, key) in given.iter(call) {
        let given = key;
        let Some(key) = given.str_or_int(&mut digits) else {
            let message = format!("must hold strings, {} given", given.type_name());
            return Err(Thrown::argument_type(1, message));
        };
        keys.push(client.parts(key))
            .map_err(|error| bad_element(1, key, &error))?;
    }
    Ok(keys)
}

/// Sets an element under a key that was given as a value.
pub(super) fn share_key(array: &mut NewArray, key: View<'_>, value: impl ToPhp) {
    match key {
        View::Str(key) => array.insert_str(key, value),
        View::Int(key) => array.insert(Digits::default().format(key), value),
        _ => {}
    }
}

/// `getMulti(array $keys, int $getFlags = 0): array`
pub fn get_multi(call: &mut Call) -> Result<NewArray, Thrown> {
    let given = call.array()?;
    let shape = shape(call.int_or(0)?, 2)?;
    let answers = with_client(call, |client| {
        let keys = keys(client, given, call)?;
        Ok(client.get_many(&keys, shape.with_cas()))
    })?;
    let mut values = NewArray::with_capacity(given.len());
    for (answer, (_, key)) in answers.iter().zip(given.iter(call)) {
        let Answer::Value { flags, cas, data } = answer else {
            continue;
        };
        let value = answers.bytes(data);
        if shape == Shape::Bytes {
            share_key(&mut values, key, value);
        } else {
            share_key(&mut values, key, fields(shape, value, *flags, *cas));
        }
    }
    Ok(values)
}

/// `setMulti(array $values, int $ttl = 0, int $flags = 0, bool $background = false): bool`
pub fn set_multi(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let ttl = ttl(call.int_or(0)?, 2)?;
    let flags = flags(call.int_or(0)?, 3)?;
    let in_background = call.bool_or(false)?;
    with_client(call, |client| {
        let mut digits = Digits::default();
        let mut keys = KeyList::new();
        let mut values: Vec<Text<'_>> = Vec::with_capacity(given.len());
        for (key, value) in given.iter(call) {
            let key = key.bytes(&mut digits);
            keys.push(client.parts(key))
                .map_err(|error| bad_element(1, key, &error))?;
            values.push(match value {
                View::Str(text) => Text::Shared(text.bytes()),
                View::Int(int) => Text::Own(int.to_string()),
                other => {
                    let message =
                        format!("must hold strings, {} is {}", named(key), other.type_name());
                    return Err(Thrown::argument_type(1, message));
                }
            });
        }
        let action = |value| Action::Store {
            mode: StoreMode::Set,
            flags,
            ttl,
            value,
        };
        change(
            client,
            &keys,
            |index| action(values[index].bytes()),
            in_background,
            |answer| *answer == Answer::Done,
        )
    })
}

/// `setItems(array $items, int $ttl = 0, bool $background = false): bool`
pub fn set_items(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let ttl = ttl(call.int_or(0)?, 2)?;
    let in_background = call.bool_or(false)?;
    with_client(call, |client| {
        let mut digits = Digits::default();
        let mut keys = KeyList::new();
        let mut items: Vec<(&[u8], u32)> = Vec::with_capacity(given.len());
        for (key, item) in given.iter(call) {
            let key = key.bytes(&mut digits);
            keys.push(client.parts(key))
                .map_err(|error| bad_element(1, key, &error))?;
            items.push(read_item(item, call).ok_or_else(|| {
                let message = format!(
                    "must hold arrays with a string under \"value\" and an int from 0 to 4294967295 under \
                     \"flags\", {} is not one",
                    named(key)
                );
                Thrown::argument_type(1, message)
            })?);
        }
        change(
            client,
            &keys,
            |index| Action::Store {
                mode: StoreMode::Set,
                flags: items[index].1,
                ttl,
                value: items[index].0,
            },
            in_background,
            |answer| *answer == Answer::Done,
        )
    })
}

/// Value and flags of an element of `setItems()`.
fn read_item<'f: 'a, 'a>(item: View<'a>, call: &Call<'f>) -> Option<(&'a [u8], u32)> {
    let View::Array(item) = item else {
        return None;
    };
    let View::Str(value) = item.get("value", call)? else {
        return None;
    };
    let View::Int(flags) = item.get("flags", call)? else {
        return None;
    };
    Some((value.bytes(), u32::try_from(flags).ok()?))
}

/// A value of `setMulti`.
enum Text<'a> {
    Shared(&'a [u8]),
    Own(String),
}

impl Text<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Shared(bytes) => bytes,
            Text::Own(text) => text.as_bytes(),
        }
    }
}

/// `deleteMulti(array $keys, bool $background = false): bool`
pub fn delete_multi(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let in_background = call.bool_or(false)?;
    with_client(call, |client| {
        let keys = keys(client, given, call)?;
        change(
            client,
            &keys,
            |_| Action::Delete,
            in_background,
            |answer| matches!(answer, Answer::Done | Answer::Missing),
        )
    })
}

/// `touchMulti(array $keys, int $ttl, bool $background = false): bool`
pub fn touch_multi(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let ttl = ttl(call.int()?, 2)?;
    let in_background = call.bool_or(false)?;
    with_client(call, |client| {
        let keys = keys(client, given, call)?;
        change(
            client,
            &keys,
            |_| Action::Touch { ttl },
            in_background,
            |answer| *answer == Answer::Done,
        )
    })
}

/// Changes many items, now or in the background; whether `is_good` holds of every answer.
fn change<'a>(
    client: &mut Handle,
    keys: &KeyList,
    action: impl Fn(usize) -> Action<'a>,
    in_background: bool,
    is_good: impl Fn(&Answer) -> bool,
) -> Result<bool, Thrown> {
    if !in_background {
        let commands: Vec<Command<'_>> = keys
            .iter()
            .enumerate()
            .map(|(index, key)| Command {
                key,
                action: action(index),
            })
            .collect();
        return Ok(client.write_many(&commands).iter().all(is_good));
    }
    client.clear_failure();
    let mut all = true;
    let head = client.head().len();
    for (index, key) in keys.iter().enumerate() {
        let key = &key[head..];
        let taken = client
            .queue(key, action(index))
            .map_err(|error| bad_element(1, key, &error))?;
        if !taken {
            client.note_refusal(key);
            all = false;
        }
    }
    Ok(all)
}
