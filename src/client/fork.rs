//! Which process this is: a forked child must touch nothing that it shares with its parent.

use std::sync::atomic::{AtomicU32, Ordering};

static GENERATION: AtomicU32 = AtomicU32::new(0);

/// To be called in the child of every fork (PHP: from a `pthread_atfork` handler). Does nothing
/// but add one, as befits a moment when only async-signal-safe calls are allowed.
pub fn forked() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// How many forks lie behind this process.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}
