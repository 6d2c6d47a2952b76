//! The current time of a writer, reader or limiter: set from outside, or read once and kept.

use super::bucket::check_time;
use super::error::Invalid;
use super::number::Number;

/// The current time as one object sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Now {
    set: Option<Number>,
    read: Option<Number>,
}

impl Now {
    /// Stands still at `now`; `None`: follows the clock.
    ///
    /// # Errors
    /// When it is no time.
    pub fn starting(now: Option<Number>) -> Result<Now, Invalid> {
        Ok(Now {
            set: now.map(check_time).transpose()?,
            read: None,
        })
    }

    /// The time set, else the time read from the clock before, else the clock's, which is kept from now on.
    #[inline]
    pub fn get(&mut self, clock: fn() -> Number) -> Number {
        match self.set.or(self.read) {
            Some(now) => now,
            None => *self.read.insert(clock()),
        }
    }

    /// The time set, else the clock's.
    pub fn fresh(&self, clock: fn() -> Number) -> Number {
        self.set.unwrap_or_else(clock)
    }

    /// Forgets what was read from the clock.
    #[inline]
    pub fn forget_read(&mut self) {
        self.read = None;
    }
}
