//! What a rate limiter answers.

use super::limit_counts::Counts;
use super::number::{Number, Rounding};

/// The answer for one operation.
#[derive(Clone, Debug)]
pub struct LimitResult {
    /// Index of the condition among those of the limiter.
    pub condition: u32,
    /// The most that the condition lets through within its window.
    pub limit: i64,
    /// The window, in seconds.
    pub window: Number,
    /// What the window held before the operation.
    pub prev_total: i64,
    /// What it holds if the operation is counted: allowed or not.
    pub new_total: i64,
    pub(super) amount: i64,
    pub(super) counts: Counts,
    pub(super) rounding: Rounding,
}

impl LimitResult {
    /// Whether the amount is within the limit.
    pub fn is_allowed(&self) -> bool {
        self.new_total <= self.limit
    }

    /// How much more the limit allowed before this amount: 0 to `limit`.
    pub fn remaining(&self) -> i64 {
        self.limit.saturating_sub(self.prev_total.max(0)).max(0)
    }

    /// Seconds until the same amount will be let through if nothing else is counted; 0 if it was let through now;
    /// infinite if it never will be. Right to within a hundredth of a bucket, and never too early. It is worked out
    /// when asked for.
    pub fn retry_after(&self) -> f64 {
        if self.is_allowed() {
            0.0
        } else {
            self.counts
                .retry_after(self.amount, self.limit, self.rounding)
        }
    }
}

/// The answers for a batch.
#[derive(Clone, Debug)]
pub struct BatchResult {
    /// One per operation, in the order of the batch.
    pub results: Vec<LimitResult>,
}

impl BatchResult {
    /// Whether all operations are within their limits.
    pub fn is_allowed(&self) -> bool {
        self.results.iter().all(LimitResult::is_allowed)
    }

    /// The longest of the results' [`LimitResult::retry_after`].
    pub fn retry_after(&self) -> f64 {
        self.results
            .iter()
            .map(LimitResult::retry_after)
            .fold(0.0, f64::max)
    }
}
