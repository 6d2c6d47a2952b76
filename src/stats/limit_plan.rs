//! A rate limiter's plan for a batch: what to add and read, and the decision by what was read.

use super::batch::Operation;
use super::condition::Mode;
use super::limit_counts::Counts;
use super::limit_result::{BatchResult, LimitResult};
use super::number::{Number, Rounding};
use super::store::{Increments, Keys};

/// One operation's share of a plan.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) operation: Operation,
    pub(super) limit: i64,
    pub(super) counts: Counts,
    /// The last bucket it reads.
    pub(super) last: i64,
    /// What is added before the reading and therefore part of what is read: how much, to which bucket.
    pub(super) added: (i64, i64),
}

impl Planned {
    /// How many buckets it reads.
    pub(super) fn buckets(&self) -> usize {
        let behind_first = self.last.saturating_sub(self.counts.first);
        usize::try_from(behind_first).map_or(0, |more| more.saturating_add(1))
    }
}

/// What to do for a batch: add [`Plan::add_first`] and read [`Plan::reads`] in one exchange; while
/// [`Limiter::catch_up`](super::limiter::Limiter::catch_up) says so, read again; then [`Plan::decide`].
#[derive(Debug)]
pub struct Plan {
    pub(super) planned: Vec<Planned>,
    pub(super) mode: Mode,
    /// What is counted if allowed, in strict mode taken back if not; nothing when only looking.
    pub(super) increments: Vec<Increments>,
    pub(super) reads: Keys,
    pub(super) rounding: Rounding,
    /// How often [`Limiter::catch_up`](super::limiter::Limiter::catch_up) was called for.
    pub(super) reads_again: u32,
    /// Whether no reading came back in time.
    pub(super) too_late: bool,
}

/// What remains to be done after a decision; nobody needs to wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Nothing.
    Nothing,
    /// Count these.
    Count(Vec<Increments>),
    /// Take these back, which were added first.
    TakeBack(Vec<Increments>),
}

impl Plan {
    /// What is to be added before anything is read; nothing unless in strict mode.
    pub fn add_first(&self) -> &[Increments] {
        if self.mode == Mode::Strict {
            &self.increments
        } else {
            &[]
        }
    }

    /// What is to be read, in one exchange.
    pub fn reads(&self) -> &Keys {
        &self.reads
    }

    /// Decides by what was read: a value for each key, 0 for those that aren't there. Where no reading came back in
    /// time, all is refused, as if the limits were used up.
    pub fn decide(self, values: &[Number]) -> (BatchResult, Afterwards) {
        let Plan {
            planned,
            mode,
            increments,
            rounding,
            too_late,
            ..
        } = self;
        let mut rest = values;
        let mut results = Vec::with_capacity(planned.len());
        for planned in planned {
            let mine;
            (mine, rest) = rest.split_at(planned.reads().min(rest.len()));
            results.push(planned.result(mine, rounding, too_late));
        }
        let result = BatchResult { results };
        let afterwards = match (increments.is_empty(), mode, result.is_allowed()) {
            (false, Mode::Interpolated, true) => Afterwards::Count(increments),
            (false, Mode::Strict, false) => Afterwards::TakeBack(increments),
            _ => Afterwards::Nothing,
        };
        (result, afterwards)
    }
}

impl Planned {
    /// How many keys it reads.
    fn reads(&self) -> usize {
        (self.counts.first..=self.last).count()
    }

    fn result(self, values: &[Number], rounding: Rounding, too_late: bool) -> LimitResult {
        let Planned {
            operation,
            limit,
            mut counts,
            added: (added, bucket),
            ..
        } = self;
        counts.values = values.to_vec();
        let index = bucket.abs_diff(counts.first) as usize;
        if let Some(value) = counts.values.get_mut(index).filter(|_| added > 0) {
            // Without what this operation added itself.
            *value = (*value - Number::Int(added)).max(Number::ZERO);
        }
        let total = counts.total(rounding);
        let prev_total = if too_late { total.max(limit) } else { total };
        LimitResult {
            condition: operation.condition,
            limit,
            window: counts.window,
            prev_total,
            new_total: prev_total.saturating_add(operation.amount),
            amount: operation.amount,
            counts,
            rounding,
        }
    }
}
