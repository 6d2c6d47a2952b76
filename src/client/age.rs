//! When queued writes are to go out by themselves.

use std::time::Duration;

use crate::driver::clock;

/// How long something has been queued. Asked at every call, so it asks the cheapest clock.
#[derive(Debug)]
pub(super) struct Age {
    /// In units of the clock: seconds, or milliseconds for intervals below one.
    interval: u64,
    fine: bool,
    /// When the oldest was queued, if something is.
    since: Option<u64>,
}

impl Age {
    pub fn new(interval: Duration) -> Self {
        // Whole seconds, cut: rather a little early than ever late.
        let fine = interval < Duration::from_secs(1);
        let interval = if fine {
            interval.as_millis() as u64
        } else {
            interval.as_secs()
        };
        Age {
            interval,
            fine,
            since: None,
        }
    }

    #[inline(always)]
    fn clock(&self) -> u64 {
        if self.fine {
            clock::coarse_millis()
        } else {
            clock::second()
        }
    }

    /// Something is queued now: whether the oldest has reached the interval. A clock that was set
    /// back counts as that, too.
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        let now = self.clock();
        now.wrapping_sub(*self.since.get_or_insert(now)) >= self.interval
    }

    /// What is queued counts as queued now.
    pub fn start(&mut self) {
        self.since = Some(self.clock());
    }

    /// Nothing is queued any more.
    pub fn stop(&mut self) {
        self.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_of_none_is_always_over_and_one_of_an_hour_not_yet() {
        let mut now = Age::new(Duration::ZERO);
        let mut later = Age::new(Duration::from_secs(3600));
        for _ in 0..3 {
            assert!(now.is_due() && !later.is_due());
        }
    }

    #[test]
    fn short_intervals_are_measured_in_milliseconds_and_begin_with_the_oldest() {
        let mut age = Age::new(Duration::from_millis(60));
        assert!(!age.is_due());
        std::thread::sleep(Duration::from_millis(120));
        assert!(age.is_due());
        age.start();
        assert!(!age.is_due());
        age.stop();
        assert!(!age.is_due());
    }

    #[test]
    fn whole_seconds_are_cut_so_that_nothing_waits_longer_than_it_should() {
        let mut age = Age::new(Duration::from_millis(1900));
        assert!(!age.is_due());
        // Two changes of the second lie within, or one: never more than the interval.
        std::thread::sleep(Duration::from_millis(1910));
        assert!(age.is_due());
    }
}
