//! What the extension does when PHP starts, serves and ends.
//!
//! Called by `zend/module.rs`, which guards against panics. Nothing here may keep a global borrowed over a
//! call into the engine.

use super::ini::Settings;
use std::cell::RefCell;

/// The state of this PHP process (ZTS: thread) across requests.
#[derive(Default)]
pub struct Globals {
    /// The ini settings in force.
    pub settings: RefCell<Settings>,
}

/// MINIT: classes and settings are registered.
pub fn module_startup(_globals: &Globals) {}

/// RINIT.
pub fn request_startup(_globals: &Globals) {}

/// RSHUTDOWN: destructors have run, unless a fatal error ended the script; objects may still be alive.
pub fn request_shutdown(_globals: &Globals) {}

/// All objects are gone.
pub fn post_deactivate(_globals: &Globals) {}

/// MSHUTDOWN.
pub fn module_shutdown(_globals: &Globals) {}

/// GSHUTDOWN: the globals (of this thread) are about to be dropped.
pub fn globals_shutdown(_globals: &Globals) {}

/// The child of a fork(), before anything else runs in it.
pub fn forked_child(_globals: &Globals) {}
