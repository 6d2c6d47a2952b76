//! Queued commands get their wire form.

use super::Dialect;
use super::inflight::InFlight;
use super::outbox::Encode;
use super::wire::Wire;
use crate::protocol::request::{Action, Command};
use crate::protocol::ttl::Ttl;
use crate::protocol::{classic, meta};

/// Most bytes of one send: just over 64 KiB costs a quarter more per byte (measured).
pub(super) const MOST: usize = 56 << 10;

/// Writes background commands until a sendful is there.
pub(super) struct Encoder<'a> {
    pub wire: &'a mut Wire,
    pub inflight: &'a mut InFlight,
    pub spelling: &'a mut meta::Spelling,
    pub dialect: Dialect,
    pub noreply: bool,
    pub unix_now: u32,
}

impl Encode for Encoder<'_> {
    #[inline(always)]
    fn incr(&mut self, key: &[u8], step: u64, ttl: Ttl) -> bool {
        if self.dialect == Dialect::Classic {
            let init = step;
            let action = Action::Incr { step, ttl, init };
            return self.command(&Command { key, action });
        }
        self.spelling
            .push_incr(&mut self.wire.bytes, key, (step, ttl, step));
        self.end()
    }

    #[inline(never)]
    fn command(&mut self, command: &Command<'_>) -> bool {
        let bytes = &mut self.wire.bytes;
        match self.dialect {
            Dialect::Meta => self.spelling.push_quiet(bytes, command),
            Dialect::Classic if self.noreply => {
                classic::push_noreply(bytes, command, self.unix_now);
            }
            Dialect::Classic => {
                classic::push_answered(bytes, command, self.unix_now);
                self.inflight.answered(&command.action);
            }
        }
        self.end()
    }
}

impl Encoder<'_> {
    /// A command ends. Whether there is room for another.
    #[inline(always)]
    fn end(&mut self) -> bool {
        self.wire.end_command();
        self.wire.bytes.len() < MOST
    }
}
