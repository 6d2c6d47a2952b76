//! Calls of `WRStats` on many keys: one exchange with all servers concerned, never an exception for the
//! network.

use std::borrow::Cow;

use super::background::{bad_element, named};
use super::values::fields;
use super::{Shape, flags, shape, ttl, with_client};
use crate::client::handle::Handle;
use crate::connection::asks::Answer;
use crate::php::zend::{Array, Call, Digits, Key, NewArray, Thrown, ToPhp, View};
use crate::protocol::key::KeyList;
use crate::protocol::request::{Action, Command, StoreMode};
use crate::protocol::ttl::Ttl;

/// The wire keys of a list of keys, which is argument 1.
pub(super) fn keys(client: &Handle, given: Array<'_>, call: &Call) -> Result<KeyList, Thrown> {
    let mut keys = KeyList::with_capacity(given.len(), 0);
    let mut digits = Digits::default();
    for (_, key) in given.iter(call) {
        let key = list_key(key)?.bytes(&mut digits);
        keys.push(client.parts(key))
            .map_err(|error| bad_element(1, key, &error))?;
    }
    Ok(keys)
}

/// An element of a list of keys. Keys may be ints, as PHP makes ints of them.
fn list_key(element: View<'_>) -> Result<Key<'_>, Thrown> {
    match element {
        View::Str(key) => Ok(Key::Str(key)),
        View::Int(key) => Ok(Key::Int(key)),
        other => {
            let message = format!("must hold strings, {} given", other.type_name());
            Err(Thrown::argument_type(1, message))
        }
    }
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
    change(call, given, in_background, |key, value| {
        let value = match value {
            View::Str(text) => Cow::Borrowed(text.bytes()),
            View::Int(int) => Cow::Owned(int.to_string().into_bytes()),
            other => {
                let name = named(key.bytes(&mut Digits::default()));
                let message = format!("must hold strings, {name} is {}", other.type_name());
                return Err(Thrown::argument_type(1, message));
            }
        };
        Ok((key, Change::Set { value, flags, ttl }))
    })
}

/// `setItems(array $items, int $ttl = 0, bool $background = false): bool`
pub fn set_items(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let ttl = ttl(call.int_or(0)?, 2)?;
    let in_background = call.bool_or(false)?;
    change(call, given, in_background, |key, item| {
        let Some((value, flags)) = read_item(item, call) else {
            let message = format!(
                "must hold arrays with a string under \"value\" and an int from 0 to 4294967295 under \
                 \"flags\" (0 if left out), {} is not one",
                named(key.bytes(&mut Digits::default()))
            );
            return Err(Thrown::argument_type(1, message));
        };
        let value = Cow::Borrowed(value);
        Ok((key, Change::Set { value, flags, ttl }))
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
    let flags = match item.get("flags", call) {
        None => 0,
        Some(View::Int(flags)) => u32::try_from(flags).ok()?,
        Some(_) => return None,
    };
    Some((value.bytes(), flags))
}

/// `deleteMulti(array $keys, bool $background = false): bool`
pub fn delete_multi(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let in_background = call.bool_or(false)?;
    change(call, given, in_background, |_, key| {
        Ok((list_key(key)?, Change::Delete))
    })
}

/// `touchMulti(array $keys, int $ttl, bool $background = false): bool`
pub fn touch_multi(call: &mut Call) -> Result<bool, Thrown> {
    let given = call.array()?;
    let ttl = ttl(call.int()?, 2)?;
    let in_background = call.bool_or(false)?;
    change(call, given, in_background, |_, key| {
        Ok((list_key(key)?, Change::Touch { ttl }))
    })
}

/// What is done to one key of many.
enum Change<'a> {
    Set {
        value: Cow<'a, [u8]>,
        flags: u32,
        ttl: Ttl,
    },
    Delete,
    Touch {
        ttl: Ttl,
    },
}

impl Change<'_> {
    fn action(&self) -> Action<'_> {
        match *self {
            Change::Set {
                ref value,
                flags,
                ttl,
            } => Action::Store {
                mode: StoreMode::Set,
                flags,
                ttl,
                value,
            },
            Change::Delete => Action::Delete,
            Change::Touch { ttl } => Action::Touch { ttl },
        }
    }

    /// Whether the answer is what the call is after.
    fn is_made(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Done => true,
            Answer::Missing => matches!(self, Change::Delete),
            _ => false,
        }
    }
}

/// Changes the key that `read` makes of each element of the array, which is argument 1: now or in the background. All
/// elements are checked before anything is done with the first.
fn change<'f: 'a, 'a>(
    call: &Call<'f>,
    given: Array<'a>,
    in_background: bool,
    read: impl Fn(Key<'a>, View<'a>) -> Result<(Key<'a>, Change<'a>), Thrown>,
) -> Result<bool, Thrown> {
    with_client(call, |client| {
        let mut digits = Digits::default();
        if !in_background {
            let mut keys = KeyList::with_capacity(given.len(), 0);
            let mut changes = Vec::with_capacity(given.len());
            for (key, value) in given.iter(call) {
                let (key, change) = read(key, value)?;
                let key = key.bytes(&mut digits);
                keys.push(client.parts(key))
                    .map_err(|error| bad_element(1, key, &error))?;
                changes.push(change);
            }
            let commands: Vec<Command<'_>> = keys
                .iter()
                .zip(&changes)
                .map(|(key, change)| Command {
                    key,
                    action: change.action(),
                })
                .collect();
            let answers = client.write_many(&commands);
            let mut made = changes.iter().zip(answers.iter());
            return Ok(made.all(|(change, answer)| change.is_made(answer)));
        }
        for (key, value) in given.iter(call) {
            let (key, _) = read(key, value)?;
            let key = key.bytes(&mut digits);
            client
                .parts(key)
                .check()
                .map_err(|error| bad_element(1, key, &error))?;
        }
        client.clear_failure();
        let mut all = true;
        for (key, value) in given.iter(call) {
            let (key, change) = read(key, value)?;
            let key = key.bytes(&mut digits);
            let taken = client
                .queue(key, change.action())
                .map_err(|error| bad_element(1, key, &error))?;
            if !taken {
                client.note_refusal(key);
                all = false;
            }
        }
        Ok(all)
    })
}
