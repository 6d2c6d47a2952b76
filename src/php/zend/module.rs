//! The module entry: the engine's hooks, each guarded against panics, and the module's globals.
//!
//! What they do is in [`crate::php::lifecycle`], safe code. Order within a process: GINIT, MINIT, then per
//! request RINIT, RSHUTDOWN, the end of objects still alive, post_deactivate; at last MSHUTDOWN, GSHUTDOWN.

use super::ffi::{pthread_atfork, zend_module_entry};
use super::per_thread::{PerThread, per_thread};
use super::thrown::panic_text;
use super::{class, held, info, ini};
use crate::php::lifecycle::{self, Globals};
use ext_php_rs::prelude::*;
use ext_php_rs::zend::{ModuleGlobal, ModuleGlobals};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

#[derive(Default)]
struct Stored(Globals);

impl ModuleGlobal for Stored {
    fn ginit(&mut self) {
        READY.set(1);
    }

    fn gshutdown(&mut self) {
        guard(|| lifecycle::globals_shutdown(&self.0));
        READY.set(0);
    }
}

static GLOBALS: ModuleGlobals<Stored> = ModuleGlobals::new();

/// Not zero while the globals (of this thread) exist.
static READY: PerThread = per_thread!();

/// Hands the globals of this PHP process (ZTS: thread) to `f`; they live across requests.
///
/// # Panics
/// Before module startup and after module shutdown.
#[inline]
pub fn with_globals<R>(f: impl FnOnce(&Globals) -> R) -> R {
    assert!(READY.get() != 0, "the module is not running");
    f(&GLOBALS.get().0)
}

const SUCCESS: i32 = 0;
const FAILURE: i32 = -1;

/// Runs a hook; a panic is shown as a warning and answered with `false`.
fn guard(hook: impl FnOnce()) -> bool {
    match catch_unwind(AssertUnwindSafe(hook)) {
        Ok(()) => true,
        Err(panic) => {
            ini::warn(format!("internal error: {}", panic_text(&*panic)));
            false
        }
    }
}

fn module_startup(_type: i32, module: i32) -> i32 {
    static AT_FORK: Once = Once::new();
    let started = guard(|| {
        class::startup();
        ini::startup(
            crate::php::ini::SETTINGS,
            crate::php::ini::PREFIX,
            crate::php::ini::unknown,
            module,
        );
        AT_FORK.call_once(|| {
            // SAFETY: a handler of our own, which the C library forgets when it unloads the module.
            unsafe { pthread_atfork(None, None, Some(forked_child)) };
        });
        with_globals(lifecycle::module_startup);
    });
    if started { SUCCESS } else { FAILURE }
}

unsafe extern "C" fn module_shutdown(_type: i32, module: i32) -> i32 {
    guard(|| with_globals(lifecycle::module_shutdown));
    ini::shutdown(module);
    SUCCESS
}

unsafe extern "C" fn request_startup(_type: i32, _module: i32) -> i32 {
    guard(|| with_globals(lifecycle::request_startup));
    SUCCESS
}

unsafe extern "C" fn request_shutdown(_type: i32, _module: i32) -> i32 {
    guard(|| with_globals(lifecycle::request_shutdown));
    SUCCESS
}

unsafe extern "C" fn post_deactivate() -> i32 {
    held::end_of_request();
    guard(|| with_globals(lifecycle::post_deactivate));
    SUCCESS
}

/// In a child right after fork(). Only the forking thread exists; with ZTS it need not be one of PHP's.
extern "C" fn forked_child() {
    if READY.get() != 0 {
        // No warning from here: PHP may be in the middle of anything.
        let _ = catch_unwind(|| with_globals(lifecycle::forked_child));
    }
}

extern "C" fn module_info(module: *mut zend_module_entry) {
    guard(|| {
        info::Table::print(|table| with_globals(|globals| crate::php::info::print(globals, table)));
        // SAFETY: the engine passes this module's entry.
        unsafe { info::settings(module) };
    });
}

/// What PHP asks for when it loads the library.
#[php_module]
#[php(startup = "module_startup")]
pub fn module(module: ModuleBuilder) -> ModuleBuilder {
    module
        .globals(&GLOBALS)
        .shutdown_function(module_shutdown)
        .request_startup_function(request_startup)
        .request_shutdown_function(request_shutdown)
        .post_deactivate_function(post_deactivate)
        .info_function(module_info)
}
