//! What the extension does when PHP starts, serves and ends.
//!
//! Called by `zend/module.rs`, which guards against panics. Nothing here may keep a global borrowed over a
//! call into the engine.

use std::cell::RefCell;

use super::writer::{self, Writers};
use crate::client::config::Config;
use crate::client::fork;
use crate::client::handle::Template;
use crate::client::input::Input;
use crate::client::pool::SHUTDOWN_LIMIT;
use crate::client::pools::Pools;

/// The state of this PHP process (ZTS: thread) across requests.
#[derive(Default)]
pub struct Globals {
    /// The ini settings in force.
    pub settings: RefCell<Config>,
    /// What the last constructors were given, and what came of it.
    pub opened: RefCell<Vec<Opened>>,
    /// The pools, which outlive requests.
    pub pools: RefCell<Pools>,
    /// The writers that may have gathered something.
    pub writers: RefCell<Writers>,
}

/// A config that a handle was made from. The same one given again needs no second reading.
pub struct Opened {
    /// As it was given.
    pub config: Input,
    /// The unix sockets among its servers, which may be forbidden the next time.
    pub sockets: Vec<Box<[u8]>>,
    /// The handle that it gives.
    pub template: Template,
}

/// MINIT: classes and settings are registered.
pub fn module_startup(_globals: &Globals) {}

/// RINIT.
pub fn request_startup(_globals: &Globals) {}

/// RSHUTDOWN: destructors have run, unless a fatal error ended the script; objects may still be alive.
pub fn request_shutdown(globals: &Globals) {
    writer::flush_all(globals);
    globals.pools.borrow_mut().end_request();
}

/// All objects are gone.
pub fn post_deactivate(globals: &Globals) {
    globals.writers.borrow_mut().shrink();
}

/// MSHUTDOWN.
pub fn module_shutdown(globals: &Globals) {
    globals.pools.borrow_mut().shut_down(SHUTDOWN_LIMIT);
}

/// GSHUTDOWN: the globals (of this thread) are about to be dropped.
pub fn globals_shutdown(globals: &Globals) {
    globals.pools.borrow_mut().shut_down(SHUTDOWN_LIMIT);
}

/// The child of a fork(), before anything else runs in it.
pub fn forked_child(_globals: &Globals) {
    fork::forked();
}
