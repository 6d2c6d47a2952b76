//! Time buckets: which ones a time or range touches, and what a range's total is.

use super::error::Invalid;
use super::number::{Number, Rounding};

/// Times are at most this many seconds from the epoch, so that every bucket has a number.
const MAX_TIME: f64 = 1e12;

/// The time, if it is one.
///
/// # Errors
/// When it is NAN, infinite, or absurdly far from now.
pub fn check_time(time: Number) -> Result<Number, Invalid> {
    if time.as_f64().abs() <= MAX_TIME {
        Ok(time)
    } else {
        Err(Invalid::Time(time.to_string()))
    }
}

/// The number of the bucket that a time is in: towards zero, as PHP's `(int)(time / step)`.
#[inline]
pub fn bucket_of(time: Number, time_step: Number) -> i64 {
    (time / time_step).to_int()
}

/// A span of time, in UNIX seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRange {
    start: Number,
    end: Number,
}

impl TimeRange {
    /// From `start` to `end`, which may be the same.
    ///
    /// # Errors
    /// When it ends before it starts, or one of them is no time.
    pub fn new(start: Number, end: Number) -> Result<TimeRange, Invalid> {
        let (start, end) = (check_time(start)?, check_time(end)?);
        if end.less_than(start) {
            return Err(Invalid::Range(start.to_string(), end.to_string()));
        }
        Ok(TimeRange { start, end })
    }

    /// When it starts.
    pub fn start(&self) -> Number {
        self.start
    }

    /// When it ends.
    pub fn end(&self) -> Number {
        self.end
    }

    /// Its length in seconds.
    pub fn duration(&self) -> Number {
        self.end - self.start
    }

    /// The buckets that are read for it: the first and the last, which may lie behind its end.
    pub fn buckets(&self, time_step: Number) -> (i64, i64) {
        (
            bucket_of(self.start, time_step),
            (self.end / time_step).ceil().to_int(),
        )
    }

    /// What was counted within it, in steps of the resolution and not yet rounded. `value` gives what a bucket holds.
    /// Counts are taken to be spread evenly over their bucket, and the bucket that `now` is in to have none behind
    /// `now`.
    pub fn count(&self, time_step: Number, now: Number, value: impl Fn(i64) -> Number) -> Number {
        let (first, last) = (
            bucket_of(self.start, time_step),
            bucket_of(self.end, time_step),
        );
        let mut total = Number::ZERO;
        for bucket in first..=last {
            let value = value(bucket);
            if value.is_zero() {
                continue;
            }
            let start = Number::Int(bucket) * time_step;
            // How long the bucket has been counting.
            let counting = || (start + time_step).min(now) - start;
            total = total
                + if bucket == first && bucket == last {
                    let counting = counting();
                    if !Number::ZERO.less_than(counting) {
                        continue;
                    }
                    value * self.duration() / counting
                } else if bucket == first {
                    let overlap =
                        (Number::Int(bucket + 1) * time_step - self.start).max(Number::ZERO);
                    value * overlap / time_step
                } else if bucket == last {
                    let (overlap, counting) = ((self.end - start).max(Number::ZERO), counting());
                    if overlap.equals(counting) {
                        // Covered as far as it goes. It may have begun just now, and hold what a clock ahead of ours
                        // counted. (MediaWiki compares 0 to 0.0 here and misses that when times are of both types.)
                        value
                    } else if Number::ZERO.less_than(counting) {
                        value * overlap / counting
                    } else {
                        continue;
                    }
                } else {
                    value
                };
        }
        total
    }
}

/// A count in steps of the resolution as what a caller gets to see: rounded to whole steps; an int where the
/// resolution is one.
pub fn total(count: Number, resolution: Number, rounding: Rounding) -> Number {
    let rounded = rounding.round_number(count) * resolution.as_f64();
    match resolution {
        Number::Int(_) => Number::Int(rounded as i64),
        Number::Float(_) => Number::Float(rounded),
    }
}

#[cfg(test)]
mod tests {
    use super::Number::{Float, Int};
    use super::*;

    fn range(start: Number, end: Number) -> TimeRange {
        TimeRange::new(start, end).unwrap()
    }

    #[test]
    fn ranges_are_finite_and_run_forwards() {
        for (start, end, want) in [
            (
                5.0,
                4.5,
                "time range must not end before it starts, 5 to 4.5 given",
            ),
            (
                f64::NAN,
                1.0,
                "time must be a number of UNIX seconds within 1e12 of 1970, NAN given",
            ),
            (
                1.0,
                f64::NAN,
                "time must be a number of UNIX seconds within 1e12 of 1970, NAN given",
            ),
            (
                f64::NEG_INFINITY,
                0.0,
                "time must be a number of UNIX seconds within 1e12 of 1970, -INF given",
            ),
            (
                1.0,
                1e15,
                "time must be a number of UNIX seconds within 1e12 of 1970, 1000000000000000 given",
            ),
        ] {
            assert_eq!(
                TimeRange::new(Float(start), Float(end))
                    .unwrap_err()
                    .to_string(),
                want
            );
        }
        assert_eq!(range(Int(5), Int(5)).duration(), Int(0));
    }

    #[test]
    fn ranges_touch_the_bucket_behind_their_end_unless_they_end_on_an_edge() {
        assert_eq!(range(Int(1000), Int(2000)).buckets(Int(100)), (10, 20));
        assert_eq!(range(Int(1001), Int(2001)).buckets(Int(100)), (10, 21));
        assert_eq!(range(Float(0.3), Float(0.7)).buckets(Float(0.1)), (2, 7));
    }

    #[test]
    fn counts_are_spread_evenly_over_their_bucket() {
        // Step 10, 4 in each bucket.
        let four = |_| Int(4);
        for (start, end, now, want) in [
            (100, 200, 200, Float(44.0)), // the bucket that begins at the end has begun: whole
            (105, 200, 200, Float(42.0)), // half of the first
            (105, 115, 200, Float(4.0)),  // half of two
            (102, 107, 200, Float(2.0)),  // within one
            (102, 107, 105, Float(4.0)),  // within one that has 5 seconds so far
            (102, 107, 100, Float(0.0)),  // within one that has not begun
            (100, 115, 112, Float(14.0)), // its end is ahead of now: the last has 2 seconds, 5 are asked for
            (100, 115, 50, Float(4.0)),   // now before the last bucket: it can't count
        ] {
            let got = range(Int(start), Int(end)).count(Int(10), Int(now), four);
            assert!(
                got.equals(want),
                "{start} to {end} at {now}: {got:?}, want {want:?}"
            );
        }
    }

    #[test]
    fn types_of_times_make_no_difference_on_an_edge() {
        let at = |bucket| if bucket == 10 { Int(8) } else { Int(0) };
        for now in [Int(100), Float(100.0)] {
            for end in [Int(100), Float(100.0)] {
                for step in [Int(10), Float(10.0)] {
                    assert_eq!(
                        range(Int(50), end).count(step, now, at),
                        Int(8),
                        "{now:?} {end:?} {step:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn totals_are_ints_where_the_resolution_is_one() {
        let plain = Rounding::plain();
        assert_eq!(total(Float(9.33), Int(1), plain), Int(9));
        assert_eq!(total(Int(9), Int(5), plain), Int(45));
        assert_eq!(total(Int(3), Float(0.5), plain), Float(1.5));
        assert_eq!(total(Float(1e300), Int(1), plain), Int(i64::MAX));
        assert_eq!(total(Int(0), Float(0.5), plain), Float(0.0));
    }
}
