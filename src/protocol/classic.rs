//! The classic dialect (protocol.txt "Storage commands" and so on; known to every server and proxy).

use super::number;
use super::request::{Action, Command, StoreMode};
use super::ttl::Ttl;

/// Asks for the version, a reply that follows everything before it on a server (not a proxy).
pub const VERSION: &[u8] = b"version\r\n";

/// Appends `command`, every line of it answered.
///
/// An increment is two lines and two replies, `add` and `incr`, since no classic command both
/// creates and adds. Which way round depends on [`IncrLines`].
#[inline]
pub fn push_answered(out: &mut Vec<u8>, command: &Command<'_>, unix_now: u32) {
    push(out, command, unix_now, b"\r\n");
}

/// Appends `command`, no line of it answered.
#[inline]
pub fn push_noreply(out: &mut Vec<u8>, command: &Command<'_>, unix_now: u32) {
    push(out, command, unix_now, b" noreply\r\n");
}

/// Appends the start of a read, to be followed by keys (each with a space before it) and a line end.
pub fn push_get(out: &mut Vec<u8>, with_cas: bool) {
    out.extend_from_slice(if with_cas { b"gets" } else { b"get" });
}

/// The two lines of a classic increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncrLines {
    /// `add(init - step)`, then `incr(step)`: loses nothing when two clients race to create.
    AddIncr,
    /// `incr(step)`, then `add(init)`: for init < step, which the first form can't store. One
    /// increment can be lost when two clients race to create.
    IncrAdd,
}

impl IncrLines {
    /// The form that makes a counter with `init` first and adds `step` to it later.
    #[inline]
    pub const fn of(step: u64, init: u64) -> Self {
        if init >= step {
            IncrLines::AddIncr
        } else {
            IncrLines::IncrAdd
        }
    }
}

#[inline]
fn push(out: &mut Vec<u8>, command: &Command<'_>, unix_now: u32, end: &[u8]) {
    let key = command.key;
    match command.action {
        Action::Incr { step, ttl, init } => match IncrLines::of(step, init) {
            IncrLines::AddIncr => {
                push_number_store(out, key, init - step, ttl, unix_now, end);
                push_step(out, b"incr ", key, step, end);
            }
            IncrLines::IncrAdd => {
                push_step(out, b"incr ", key, step, end);
                push_number_store(out, key, init, ttl, unix_now, end);
            }
        },
        Action::Decr { step } => push_step(out, b"decr ", key, step, end),
        Action::Store {
            mode,
            flags,
            ttl,
            value,
        } => {
            let verb: &[u8] = match mode {
                StoreMode::Set => b"set ",
                StoreMode::Add => b"add ",
                StoreMode::Replace => b"replace ",
                StoreMode::Cas(_) => b"cas ",
            };
            out.extend_from_slice(verb);
            out.extend_from_slice(key);
            out.push(b' ');
            number::push(out, flags.into());
            out.push(b' ');
            number::push(out, ttl.exptime(unix_now).into());
            out.push(b' ');
            number::push(out, value.len() as u64);
            if let StoreMode::Cas(unique) = mode {
                out.push(b' ');
                number::push(out, unique);
            }
            out.extend_from_slice(end);
            out.extend_from_slice(value);
            out.extend_from_slice(b"\r\n");
        }
        Action::Delete => {
            out.extend_from_slice(b"delete ");
            out.extend_from_slice(key);
            out.extend_from_slice(end);
        }
        Action::Touch { ttl } => {
            push_step(out, b"touch ", key, ttl.exptime(unix_now).into(), end);
        }
    }
}

fn push_step(out: &mut Vec<u8>, verb: &[u8], key: &[u8], n: u64, end: &[u8]) {
    out.extend_from_slice(verb);
    out.extend_from_slice(key);
    out.push(b' ');
    number::push(out, n);
    out.extend_from_slice(end);
}

fn push_number_store(out: &mut Vec<u8>, key: &[u8], n: u64, ttl: Ttl, unix_now: u32, end: &[u8]) {
    let mut digits = itoa::Buffer::new();
    let value = digits.format(n).as_bytes();
    let action = Action::Store {
        mode: StoreMode::Add,
        flags: 0,
        ttl,
        value,
    };
    push(out, &Command { key, action }, unix_now, end);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ttl(seconds: i64) -> Ttl {
        Ttl::new(seconds, || 1_790_000_000).unwrap()
    }

    #[test]
    fn spelling() {
        let store = |mode, value| Action::Store {
            mode,
            flags: 3,
            ttl: ttl(60),
            value,
        };
        for (action, lines) in [
            (
                Action::Incr {
                    step: 5,
                    ttl: ttl(60),
                    init: 5,
                },
                "add k 0 60 1\r\n0\r\nincr k 5\r\n",
            ),
            (
                Action::Incr {
                    step: 5,
                    ttl: ttl(2_592_001),
                    init: 17,
                },
                "add k 0 1792592001 2\r\n12\r\nincr k 5\r\n",
            ),
            (
                Action::Incr {
                    step: 5,
                    ttl: ttl(0),
                    init: 2,
                },
                "incr k 5\r\nadd k 0 0 1\r\n2\r\n",
            ),
            (Action::Decr { step: 1 }, "decr k 1\r\n"),
            (
                store(StoreMode::Set, b"a\r\nb"),
                "set k 3 60 4\r\na\r\nb\r\n",
            ),
            (store(StoreMode::Add, b""), "add k 3 60 0\r\n\r\n"),
            (store(StoreMode::Replace, b"x"), "replace k 3 60 1\r\nx\r\n"),
            (store(StoreMode::Cas(9), b"x"), "cas k 3 60 1 9\r\nx\r\n"),
            (Action::Delete, "delete k\r\n"),
            (Action::Touch { ttl: ttl(9) }, "touch k 9\r\n"),
        ] {
            let mut out = Vec::new();
            push_answered(&mut out, &Command { key: b"k", action }, 1_790_000_000);
            assert_eq!(String::from_utf8(out).unwrap(), lines);
        }
    }

    #[test]
    fn noreply_is_on_every_line_and_not_in_the_data() {
        let mut out = Vec::new();
        let action = Action::Incr {
            step: 1,
            ttl: ttl(0),
            init: 1,
        };
        push_noreply(&mut out, &Command { key: b"k", action }, 0);
        assert_eq!(out, b"add k 0 0 1 noreply\r\n0\r\nincr k 1 noreply\r\n");
    }
}
