//! The counters that a limit was judged by, and the two ways of judging.

use super::bucket::{TimeRange, bucket_of, total};
use super::condition::Mode;
use super::number::{Number, Rounding};

/// A caller's clock may be so many buckets behind those of others, whose newer counts it sees then.
pub(super) const BUCKETS_AHEAD: i64 = 1;
/// And so many ahead of those of others, whose newest counts may lie in a bucket that its own window has left.
const BUCKETS_BEHIND: i64 = 1;
/// How much later than the very moment a caller is told to come back, in buckets: no rounding can refuse it then.
const RETRY_MARGIN: f64 = 1e-4;

/// What one condition's buckets held around a window that ends at `now`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    pub mode: Mode,
    pub time_step: Number,
    pub window: Number,
    pub now: Number,
    pub first: i64,
    /// From bucket `first` on; what lies outside counts as 0.
    pub values: Vec<Number>,
}

/// The first and last bucket that are read.
pub(super) fn buckets(mode: Mode, time_step: Number, window: Number, now: Number) -> (i64, i64) {
    let last = match mode {
        Mode::Interpolated => (now / time_step).ceil().to_int(),
        Mode::Strict => bucket_of(now, time_step) + BUCKETS_AHEAD,
    };
    (first_bucket(mode, time_step, window, now), last)
}

/// The first bucket that counts.
fn first_bucket(mode: Mode, time_step: Number, window: Number, now: Number) -> i64 {
    let first = bucket_of(now - window, time_step);
    match mode {
        Mode::Interpolated => first,
        Mode::Strict => first - BUCKETS_BEHIND,
    }
}

impl Counts {
    fn at(&self, bucket: i64) -> Number {
        let index = usize::try_from(bucket.wrapping_sub(self.first)).ok();
        index
            .and_then(|index| self.values.get(index))
            .copied()
            .unwrap_or(Number::ZERO)
    }

    /// What was counted within the window that ended at `now`.
    pub fn total(&self, rounding: Rounding) -> i64 {
        self.total_at(self.now, rounding)
    }

    /// What will have been counted within the window that ends at `now`, if nothing is added meanwhile.
    fn total_at(&self, now: Number, rounding: Rounding) -> i64 {
        match self.mode {
            Mode::Interpolated => {
                let Ok(range) = TimeRange::new(now - self.window, now) else {
                    return 0;
                };
                let count = range.count(self.time_step, now, |bucket| self.at(bucket));
                total(count, Number::Int(1), rounding).to_int()
            }
            // All that was read from where the window begins: buckets count whole, and those of clocks ahead too.
            Mode::Strict => {
                let first = first_bucket(self.mode, self.time_step, self.window, now);
                let skipped = first.saturating_sub(self.first);
                let counted = self
                    .values
                    .iter()
                    .skip(usize::try_from(skipped).unwrap_or(0));
                counted.fold(0, |sum: i64, value| {
                    sum.saturating_add(value.to_int().max(0))
                })
            }
        }
    }

    /// Seconds from `now` until `allowed` more fit, which they don't now; infinite if they never will.
    pub fn retry_after(&self, amount: i64, limit: i64, rounding: Rounding) -> f64 {
        if amount > limit {
            return f64::INFINITY;
        }
        let (now, step) = (self.now.as_f64(), self.time_step.as_f64());
        let fits = |after: f64| {
            self.total_at(Number::Float(now + after), rounding)
                .saturating_add(amount)
                <= limit
        };
        // The total only shrinks as time goes by, but for one moment: when the bucket after this one begins, which
        // may hold what clocks ahead of ours counted (in strict mode it is counted already).
        let this = bucket_of(self.now, self.time_step);
        let next_begins = (this as f64 + 1.0) * step - now;
        let before = next_begins - (f64::EPSILON * 2.0 * now.abs()).max(step * 1e-9);
        let (mut refused, mut fitting) = (0.0, before);
        if before <= 0.0 || !fits(before) {
            // By then the last bucket known of is out of the window.
            (refused, fitting) = (
                before.max(0.0),
                next_begins + 3.0 * step + self.window.as_f64(),
            );
            while !fits(fitting) {
                // Rounding at work: an empty window lets everything up to the limit in.
                fitting += step.max(f64::EPSILON * now.abs());
            }
        }
        let precision = (f64::EPSILON * now.abs()).max(step * 1e-7);
        while fitting - refused > precision {
            let middle = refused + (fitting - refused) / 2.0;
            if fits(middle) {
                fitting = middle;
            } else {
                refused = middle;
            }
        }
        let later = fitting + step * RETRY_MARGIN;
        if fits(later) { later } else { fitting }
    }
}
