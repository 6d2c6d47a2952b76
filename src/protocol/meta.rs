//! The meta dialect (protocol.txt "Meta Commands"; spoken from memcached 1.6.10 on as it is here).

use super::number;
use super::request::{Action, Command, StoreMode};
use super::ttl::Ttl;

/// Ends a quiet run: its reply, `MN`, comes after everything before it.
pub const NOOP: &[u8] = b"mn\r\n";

/// Writes commands one after the other.
///
/// Increments often share step, lifetime and start value with some before them, so what follows the key is kept.
#[derive(Debug, Default)]
pub struct Spelling {
    unix_now: u32,
    /// By [`Spelling::slot`].
    tails: [Kept; 1 << Self::BITS],
}

#[derive(Debug, Default)]
struct Kept {
    /// Step, lifetime and start value of the tail.
    of: (u64, Ttl, u64),
    /// Empty when there is none.
    tail: IncrTail,
}

impl Spelling {
    const BITS: u32 = 4;

    /// For commands sent at `unix_now`.
    pub fn new(unix_now: u32) -> Self {
        Spelling {
            unix_now,
            ..Spelling::default()
        }
    }

    /// For commands sent at `unix_now` from now on: long lifetimes are points in time on the wire.
    #[inline]
    pub fn at(&mut self, unix_now: u32) {
        if self.unix_now != unix_now {
            *self = Spelling::new(unix_now);
        }
    }

    /// Appends `command` in quiet mode: an answer comes only where something is worth telling, or
    /// from servers that answer all the same (see [`crate::connection::inflight`]).
    #[inline]
    pub fn push_quiet(&mut self, out: &mut Vec<u8>, command: &Command<'_>) {
        match command.action {
            Action::Incr { step, ttl, init } => {
                self.push_incr(out, command.key, (step, ttl, init));
            }
            _ => push_rarer(out, command, self.unix_now),
        }
    }

    /// The same for an increment of this step, lifetime and start value.
    #[inline(always)]
    pub fn push_incr(&mut self, out: &mut Vec<u8>, key: &[u8], how: (u64, Ttl, u64)) {
        let kept = &mut self.tails[Self::slot(how.0)];
        if kept.of != how || kept.tail.is_empty() {
            *kept = Kept {
                of: how,
                tail: IncrTail::new(how, QUIET, self.unix_now),
            };
        }
        out.reserve(b"ma ".len() + key.len() + IncrTail::ROOM);
        out.extend_from_slice(b"ma ");
        out.extend_from_slice(key);
        kept.tail.push(out);
    }

    #[inline]
    fn slot(step: u64) -> usize {
        (step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - Self::BITS)) as usize
    }
}

const QUIET: &[u8; 4] = b" q\r\n";

/// Everything but increments, quietly.
fn push_rarer(out: &mut Vec<u8>, command: &Command<'_>, unix_now: u32) {
    match command.action {
        Action::Incr { .. } => unreachable!("written by Spelling::push_quiet"),
        Action::Decr { step } => {
            out.extend_from_slice(b"ma ");
            out.extend_from_slice(command.key);
            out.extend_from_slice(b" MD D");
            number::push(out, step);
            out.extend_from_slice(QUIET);
        }
        Action::Store {
            mode,
            flags,
            ttl,
            value,
        } => {
            out.reserve(command.key.len() + value.len() + 96);
            out.extend_from_slice(b"ms ");
            out.extend_from_slice(command.key);
            out.push(b' ');
            number::push(out, value.len() as u64);
            out.extend_from_slice(b" T");
            number::push(out, ttl.exptime(unix_now).into());
            if flags != 0 {
                out.extend_from_slice(b" F");
                number::push(out, flags.into());
            }
            match mode {
                StoreMode::Set => {}
                StoreMode::Add => out.extend_from_slice(b" ME"),
                StoreMode::Replace => out.extend_from_slice(b" MR"),
                StoreMode::Cas(unique) => {
                    out.extend_from_slice(b" C");
                    number::push(out, unique);
                }
            }
            out.extend_from_slice(QUIET);
            out.extend_from_slice(value);
            out.extend_from_slice(b"\r\n");
        }
        Action::Delete => {
            out.extend_from_slice(b"md ");
            out.extend_from_slice(command.key);
            out.extend_from_slice(QUIET);
        }
        // `mg T q` answers HD to every hit; the classic command is silent and known everywhere.
        Action::Touch { .. } => super::classic::push_noreply(out, command, unix_now),
    }
}

/// Appends an increment whose reply is the new value: `VA <size>\r\n<number>\r\n`.
pub fn push_incr_and_get(
    out: &mut Vec<u8>,
    key: &[u8],
    step: u64,
    ttl: Ttl,
    init: u64,
    unix_now: u32,
) {
    out.extend_from_slice(b"ma ");
    out.extend_from_slice(key);
    IncrTail::new((step, ttl, init), b" v\r\n", unix_now).push(out);
}

/// What follows the key of an increment: ` N<exptime> J<init> D<step>` and what ends it. In a room of
/// its own, since copying all of that is cheaper than copying just what is filled.
#[derive(Clone, Copy, Debug)]
struct IncrTail {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl Default for IncrTail {
    fn default() -> Self {
        IncrTail {
            bytes: [0; Self::ROOM],
            len: 0,
        }
    }
}

impl IncrTail {
    /// Enough for the longest: three numbers of 10, 20 and 20 digits, and 10 bytes between them.
    const ROOM: usize = 64;

    /// Of a step, lifetime and start value.
    #[inline(never)]
    fn new((step, ttl, init): (u64, Ttl, u64), end: &[u8; 4], unix_now: u32) -> Self {
        let mut tail = IncrTail::default();
        tail.put(b" N");
        tail.put_digits(number::digits(ttl.exptime(unix_now).into()));
        tail.put(b" J");
        let digits = number::digits(init);
        tail.put_digits(digits);
        if step != 1 {
            tail.put(b" D");
            tail.put_digits(if step == init {
                digits
            } else {
                number::digits(step)
            });
        }
        tail.put(end);
        tail
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn put<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.bytes[self.len..][..N].copy_from_slice(bytes);
        self.len += N;
    }

    #[inline]
    fn put_digits(&mut self, (field, len): ([u8; 20], usize)) {
        self.bytes[self.len..][..field.len()].copy_from_slice(&field);
        self.len += len;
    }

    #[inline]
    fn push(&self, out: &mut Vec<u8>) {
        let len = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(action: Action<'_>) -> String {
        let mut out = Vec::new();
        Spelling::new(1_790_000_000).push_quiet(&mut out, &Command { key: b"k", action });
        String::from_utf8(out).unwrap()
    }

    fn ttl(seconds: i64) -> Ttl {
        Ttl::new(seconds, || 1_790_000_000).unwrap()
    }

    #[test]
    fn spelling() {
        let store = |mode, flags, value| Action::Store {
            mode,
            flags,
            ttl: ttl(60),
            value,
        };
        for (action, line) in [
            (
                Action::Incr {
                    step: 1,
                    ttl: ttl(0),
                    init: 1,
                },
                "ma k N0 J1 q\r\n",
            ),
            (
                Action::Incr {
                    step: 5,
                    ttl: ttl(60),
                    init: 0,
                },
                "ma k N60 J0 D5 q\r\n",
            ),
            (
                Action::Incr {
                    step: u64::MAX,
                    ttl: ttl(2_592_001),
                    init: 1,
                },
                "ma k N1792592001 J1 D18446744073709551615 q\r\n",
            ),
            (Action::Decr { step: 12 }, "ma k MD D12 q\r\n"),
            (store(StoreMode::Set, 0, b""), "ms k 0 T60 q\r\n\r\n"),
            (
                store(StoreMode::Add, 7, b"a\r\nb"),
                "ms k 4 T60 F7 ME q\r\na\r\nb\r\n",
            ),
            (
                store(StoreMode::Replace, 0, b"x"),
                "ms k 1 T60 MR q\r\nx\r\n",
            ),
            (
                store(StoreMode::Cas(9), 0, b"x"),
                "ms k 1 T60 C9 q\r\nx\r\n",
            ),
            (Action::Delete, "md k q\r\n"),
            (Action::Touch { ttl: ttl(9) }, "touch k 9 noreply\r\n"),
        ] {
            assert_eq!(quiet(action), line);
        }
    }

    #[test]
    fn what_follows_the_key_is_never_another_commands() {
        let mut spelling = Spelling::new(0);
        let mut out = Vec::new();
        for (step, seconds, init) in [(1, 0, 1), (2, 0, 2), (2, 60, 2), (2, 60, 9), (1, 0, 1)] {
            let action = Action::Incr {
                step,
                ttl: ttl(seconds),
                init,
            };
            spelling.push_quiet(&mut out, &Command { key: b"k", action });
        }
        let lines = "ma k N0 J1 q\r\nma k N0 J2 D2 q\r\nma k N60 J2 D2 q\r\n\
                     ma k N60 J9 D2 q\r\nma k N0 J1 q\r\n";
        assert_eq!(String::from_utf8(out).unwrap(), lines);
    }

    #[test]
    fn increment_with_an_answer() {
        let mut out = Vec::new();
        push_incr_and_get(&mut out, b"k", 2, ttl(60), 7, 0);
        assert_eq!(out, b"ma k N60 J7 D2 v\r\n");
    }
}
