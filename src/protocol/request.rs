//! The commands, whatever the dialect that spells them.

use super::ttl::Ttl;

/// When a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreMode {
    /// Always.
    Set,
    /// Only when the key is new.
    Add,
    /// Only when the key exists.
    Replace,
    /// Only when the item still has this CAS unique.
    Cas(u64),
}

/// One command on one (checked) key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The wire key, route and prefix included.
    pub key: &'a [u8],
    /// What to do with it.
    pub action: Action<'a>,
}

/// What a [`Command`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// Adds `step`; creates the counter at `init` with `ttl`.
    Incr {
        /// What is added.
        step: u64,
        /// Lifetime of a new counter.
        ttl: Ttl,
        /// Value of a new counter.
        init: u64,
    },
    /// Takes `step` off, not below 0; a missing counter stays missing.
    Decr {
        /// What is taken off.
        step: u64,
    },
    /// Writes a value.
    Store {
        /// When.
        mode: StoreMode,
        /// The client flags kept with it.
        flags: u32,
        /// Its lifetime.
        ttl: Ttl,
        /// The bytes.
        value: &'a [u8],
    },
    /// Removes the item.
    Delete,
    /// Sets the lifetime of an item.
    Touch {
        /// The new lifetime.
        ttl: Ttl,
    },
}
