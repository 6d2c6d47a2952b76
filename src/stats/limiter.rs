//! The rate limiter: plans what to add and read for a batch, and runs plans on a store.

use super::batch::{Batch, Operation};
use super::bucket::bucket_of;
use super::clock::Now;
use super::condition::{Conditions, Mode};
use super::error::Invalid;
use super::limit_counts::{BUCKETS_AHEAD, Counts, buckets};
use super::limit_plan::{Afterwards, Plan, Planned};
use super::limit_result::BatchResult;
use super::number::Number;
use super::store::{Increments, Keys, Store};
use std::rc::Rc;

/// Most times that strict mode reads again because time went by while it read.
const MAX_READS: u32 = 8;
/// Most buckets of one condition that it reads then.
const MAX_BUCKETS: u64 = 1 << 16;

/// What is wanted of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Look, and count nothing.
    Peek,
    /// Count all of it if all of it is allowed.
    TryIncr,
}

/// Keeps conditions.
#[derive(Clone, Debug)]
pub struct Limiter {
    conditions: Rc<Conditions>,
    now: Now,
}

impl Limiter {
    /// `now`: the current time; `None`: the clock's, read anew for each call.
    ///
    /// # Errors
    /// When `now` is no time.
    pub fn new(conditions: Rc<Conditions>, now: Option<Number>) -> Result<Limiter, Invalid> {
        Ok(Limiter {
            conditions,
            now: Now::starting(now)?,
        })
    }

    /// Its conditions, to make batches for.
    pub fn conditions(&self) -> &Rc<Conditions> {
        &self.conditions
    }

    /// Takes this for the current time from now on.
    ///
    /// # Errors
    /// When it is no time.
    pub fn set_current_time(&mut self, now: Number) -> Result<(), Invalid> {
        self.now = Now::starting(Some(now))?;
        Ok(())
    }

    /// Follows the clock from now on.
    pub fn reset_current_time(&mut self) {
        self.now = Now::default();
    }

    fn now(&self) -> Number {
        self.now.fresh(self.conditions.catalog().host().clock)
    }

    /// Plans a batch.
    ///
    /// # Errors
    /// The store's own, where it makes the keys.
    pub fn plan<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
        intent: Intent,
    ) -> Result<Plan, S::Error> {
        let (conditions, now, mode) = (&*self.conditions, self.now(), self.conditions.mode());
        let hopeless = |operation: &Operation| {
            operation.amount > conditions.condition(operation.condition).limit
        };
        // What can't be allowed is not counted, not even for a moment.
        let counting = intent == Intent::TryIncr && !batch.operations.iter().any(hopeless);
        let increments = if counting {
            self.increments_at(store, batch, now)?
        } else {
            Vec::new()
        };
        let mut planned = Vec::with_capacity(batch.len());
        for &operation in &batch.operations {
            let condition = conditions.condition(operation.condition);
            let (time_step, window) = (
                conditions.sequence(operation.condition).time_step,
                condition.window,
            );
            let (first, last) = buckets(mode, time_step, window, now);
            let added = if counting && mode == Mode::Strict {
                operation.amount
            } else {
                0
            };
            planned.push(Planned {
                operation,
                limit: condition.limit,
                counts: Counts {
                    mode,
                    time_step,
                    window,
                    now,
                    first,
                    values: Vec::new(),
                },
                last,
                added: (added, bucket_of(now, time_step)),
            });
        }
        Ok(Plan {
            reads: self.reads(store, batch, &planned)?,
            planned,
            mode,
            increments,
            rounding: conditions.catalog().host().rounding,
            reads_again: 0,
            too_late: false,
        })
    }

    fn reads<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
        planned: &[Planned],
    ) -> Result<Keys, S::Error> {
        let buckets = planned.iter().map(Planned::buckets).sum();
        let mut reads = Keys::with_capacity(buckets);
        for Planned {
            operation,
            counts,
            last,
            ..
        } in planned
        {
            let (which, entity) = (
                (operation.condition, 0),
                (&batch.entities, operation.entity),
            );
            for bucket in counts.first..=*last {
                reads.push_with(|key| {
                    self.conditions
                        .catalog()
                        .write_key(store, which, bucket, entity, key)
                })?;
            }
        }
        Ok(reads)
    }

    /// To be called after each exchange for a plan: whether its reads are to be read once more, and nothing added.
    ///
    /// In strict mode, of two callers that are let through the one that reads later must see what the other added.
    /// If time went by while this caller read (its process was stopped, say), others may have added to buckets that
    /// it did not read. It reads again, from further ahead, until a reading comes back in time.
    ///
    /// # Errors
    /// The store's own, where it makes the keys.
    pub fn catch_up<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
        plan: &mut Plan,
    ) -> Result<bool, S::Error> {
        if plan.add_first().is_empty() {
            return Ok(false);
        }
        let now = self.now();
        let mut behind = false;
        for Planned { counts, last, .. } in &mut plan.planned {
            let (planned, current) = (
                bucket_of(counts.now, counts.time_step),
                bucket_of(now, counts.time_step),
            );
            if current + BUCKETS_AHEAD > *last {
                // As far ahead as time has gone by, so that a second reading as slow as this one is in time.
                *last = current + current.abs_diff(planned).min(MAX_BUCKETS) as i64 + BUCKETS_AHEAD;
                behind = true;
                plan.too_late |= last.abs_diff(counts.first) > MAX_BUCKETS;
            }
        }
        plan.reads_again += u32::from(behind);
        plan.too_late |= plan.reads_again > MAX_READS;
        if !behind || plan.too_late {
            return Ok(false);
        }
        plan.reads = self.reads(store, batch, &plan.planned)?;
        Ok(true)
    }

    /// What counting a batch adds, whatever the limits. An amount of 0 adds nothing.
    ///
    /// # Errors
    /// The store's own, where it makes the keys.
    pub fn increments<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
    ) -> Result<Vec<Increments>, S::Error> {
        self.increments_at(store, batch, self.now())
    }

    fn increments_at<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
        now: Number,
    ) -> Result<Vec<Increments>, S::Error> {
        let mut all: Vec<Increments> = Vec::new();
        for operation in batch
            .operations
            .iter()
            .filter(|operation| operation.amount > 0)
        {
            let ttl = self.conditions.sequence(operation.condition).ttl;
            let index = all
                .iter()
                .position(|increments| increments.ttl == ttl)
                .unwrap_or_else(|| {
                    all.push(Increments {
                        ttl,
                        ..Increments::default()
                    });
                    all.len() - 1
                });
            let (which, entity) = (
                (operation.condition, 0),
                (&batch.entities, operation.entity),
            );
            let catalog = self.conditions.catalog();
            all[index]
                .keys
                .push_with(|key| catalog.write_current_key(store, which, now, entity, key))?;
            all[index].amounts.push(operation.amount.unsigned_abs());
        }
        Ok(all)
    }

    /// Looks at a batch, or counts it if all of it is allowed: one exchange with the store, and what follows from it
    /// in the background.
    ///
    /// # Errors
    /// The store's own. In strict mode the amounts may have been added all the same and then stay until their bucket
    /// expires, which errs to the strict side: taking back what perhaps was never added would not.
    pub fn run<S: Store>(
        &self,
        store: &mut S,
        batch: &Batch,
        intent: Intent,
    ) -> Result<BatchResult, S::Error> {
        let mut plan = self.plan(store, batch, intent)?;
        let mut values = Vec::new();
        let mut exchange = |store: &mut S, first: &[Increments], reads: &Keys| {
            values.clear();
            values.resize(reads.len(), Number::ZERO);
            store.incr_then_query(first, reads, &mut |index, value| {
                if let Some(slot) = values.get_mut(index) {
                    *slot = value;
                }
            })
        };
        exchange(store, plan.add_first(), plan.reads())?;
        while self.catch_up(store, batch, &mut plan)? {
            exchange(store, &[], plan.reads())?;
        }
        let (result, afterwards) = plan.decide(&values);
        match afterwards {
            Afterwards::Nothing => {}
            Afterwards::Count(all) => all
                .iter()
                .try_for_each(|increments| store.incr(increments))?,
            Afterwards::TakeBack(all) => all
                .iter()
                .try_for_each(|increments| store.take_back(increments))?,
        }
        Ok(result)
    }

    /// Counts a batch, whatever the limits.
    ///
    /// # Errors
    /// The store's own.
    pub fn incr<S: Store>(&self, store: &mut S, batch: &Batch) -> Result<(), S::Error> {
        self.increments(store, batch)?
            .iter()
            .try_for_each(|increments| store.incr(increments))
    }
}
