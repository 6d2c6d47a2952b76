//! The rate limiter: plans what to read and add, and decides by what was read. Waiting lies between the two, outside
//! of this file's arithmetic.

use super::batch::{Batch, Operation};
use super::clock::Now;
use super::condition::{Conditions, Mode};
use super::error::Invalid;
use super::limit_counts::{Counts, buckets};
use super::limit_result::{BatchResult, LimitResult};
use super::number::{Number, Rounding};
use super::store::{Increments, Keys, Store};
use std::rc::Rc;

/// What is wanted of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Look, and count nothing.
    Peek,
    /// Count all of it if all of it is allowed.
    TryIncr,
}

/// One operation's share of a plan.
#[derive(Debug)]
struct Planned {
    operation: Operation,
    limit: i64,
    counts: Counts,
    /// How many keys it reads.
    reads: usize,
    /// What is added before the reading and therefore part of what is read: how much, to which bucket.
    added: (i64, i64),
}

/// What to do for a batch: add [`Plan::add_first`], read [`Plan::reads`], and [`Plan::decide`].
#[derive(Debug)]
pub struct Plan {
    planned: Vec<Planned>,
    mode: Mode,
    /// What is counted if allowed, in strict mode taken back if not; nothing when only looking.
    increments: Vec<Increments>,
    reads: Keys,
    rounding: Rounding,
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

/// Keeps conditions.
#[derive(Debug)]
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
        let (mut reads, mut planned) = (Keys::default(), Vec::with_capacity(batch.len()));
        for &operation in &batch.operations {
            let (condition, sequence) = (
                conditions.condition(operation.condition),
                conditions.sequence(operation.condition),
            );
            let (first, last) = buckets(mode, sequence.time_step, condition.window, now);
            for bucket in first..=last {
                let (which, entity) = (
                    (operation.condition, 0),
                    (&batch.entities, operation.entity),
                );
                reads.push_with(|key| {
                    conditions
                        .catalog()
                        .write_key(store, which, bucket, entity, key)
                })?;
            }
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
                    time_step: sequence.time_step,
                    window: condition.window,
                    now,
                    first,
                    values: Vec::new(),
                },
                reads: last.abs_diff(first) as usize + 1,
                added: (added, super::bucket::bucket_of(now, sequence.time_step)),
            });
        }
        let rounding = conditions.catalog().host().rounding;
        Ok(Plan {
            planned,
            mode,
            increments,
            reads,
            rounding,
        })
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
        let plan = self.plan(store, batch, intent)?;
        let mut values = vec![Number::ZERO; plan.reads().len()];
        store.incr_then_query(plan.add_first(), plan.reads(), &mut |index, value| {
            if let Some(slot) = values.get_mut(index) {
                *slot = value;
            }
        })?;
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

    /// Decides by what was read: a value for each key, 0 for those that aren't there.
    pub fn decide(self, values: &[Number]) -> (BatchResult, Afterwards) {
        let (mode, rounding) = (self.mode, self.rounding);
        let mut rest = values;
        let mut results = Vec::with_capacity(self.planned.len());
        for planned in self.planned {
            let mine;
            (mine, rest) = rest.split_at(planned.reads.min(rest.len()));
            results.push(planned.result(mine, rounding));
        }
        let result = BatchResult { results };
        let afterwards = match (self.increments.is_empty(), mode, result.is_allowed()) {
            (false, Mode::Interpolated, true) => Afterwards::Count(self.increments),
            (false, Mode::Strict, false) => Afterwards::TakeBack(self.increments),
            _ => Afterwards::Nothing,
        };
        (result, afterwards)
    }
}

impl Planned {
    fn result(self, values: &[Number], rounding: Rounding) -> LimitResult {
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
        let prev_total = counts.total(rounding);
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
