//! `WRStats\RateLimiter`

use super::limit_batch::LimitBatch;
use super::limit_result::LimitResult;
use super::stats_entity::Entity;
use super::stats_errors::{invalid, remote};
use super::stats_store::{Backing, EntityObjects, PhpStore};
use super::zend::{Call, Native, New, Number, Thrown, Visitor};
use crate::stats::batch::Batch;
use crate::stats::condition::Conditions;
use crate::stats::error::Invalid;
use crate::stats::limit_result::BatchResult;
use crate::stats::limiter::Intent;
use crate::stats::limiter::Limiter;
use crate::stats::store::Store;
use std::rc::Rc;

/// A rate limiter. Never borrowed while PHP code may run.
pub struct RateLimiter(Rules);

/// What a batch needs of its limiter.
#[derive(Clone)]
pub struct Rules {
    limiter: Limiter,
    backing: Backing,
}

impl Native for RateLimiter {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        self.0.backing.held(visit);
    }
}

impl RateLimiter {
    /// A limiter that keeps these conditions.
    ///
    /// # Errors
    /// `now` is no time.
    pub fn new(
        conditions: Rc<Conditions>,
        backing: Backing,
        now: Option<Number>,
    ) -> Result<RateLimiter, Invalid> {
        let limiter = Limiter::new(conditions, now)?;
        Ok(RateLimiter(Rules { limiter, backing }))
    }

    /// The rules as they are now.
    pub fn rules(&self) -> Rules {
        self.0.clone()
    }
}

impl Rules {
    /// The conditions.
    pub fn conditions(&self) -> &Rc<Conditions> {
        self.limiter.conditions()
    }

    /// Looks at a batch, or counts it if all of it is allowed.
    ///
    /// # Errors
    /// `ConnectionException` and the like, or what a PHP store threw.
    pub fn run(
        &self,
        batch: &Batch,
        entities: &mut EntityObjects,
        intent: Intent,
    ) -> Result<BatchResult, Thrown> {
        match &self.backing {
            Backing::Client(store) => {
                let result = self.limiter.run(&mut *store.borrow_mut(), batch, intent);
                result.map_err(|error| remote(&error))
            }
            Backing::Php(object) => {
                self.limiter
                    .run(&mut PhpStore { object, entities }, batch, intent)
            }
        }
    }

    /// Counts a batch, whatever the limits.
    ///
    /// # Errors
    /// `\ValueError` for keys that are too long (nothing is counted then), or what a PHP store threw.
    pub fn incr(&self, batch: &Batch, entities: &mut EntityObjects) -> Result<(), Thrown> {
        match &self.backing {
            Backing::Client(store) => {
                let mut store = store.borrow_mut();
                let all = self.limiter.increments(&mut *store, batch);
                let counted = all.and_then(|all| {
                    all.iter().try_for_each(|some| store.check(&some.keys))?;
                    all.iter().try_for_each(|some| store.incr(some))
                });
                counted.map_err(|error| remote(&error))
            }
            Backing::Php(object) => self.limiter.incr(&mut PhpStore { object, entities }, batch),
        }
    }
}

/// `createBatch(int $defaultAmount = 1): LimitBatch`
pub fn create_batch(call: &mut Call) -> Result<New<LimitBatch>, Thrown> {
    let default_amount = call.int_or(1)?;
    if default_amount < 0 {
        return Err(invalid(&Invalid::NegativeAmount(default_amount), 1));
    }
    let rules = call.this::<RateLimiter>()?.rules();
    Ok(New(LimitBatch::new(
        call.this_object(),
        &rules,
        default_amount,
    )))
}

/// `peek(string $condition, array|object|null $entity = null, int $amount = 1): LimitResult`
pub fn peek(call: &mut Call) -> Result<New<LimitResult>, Thrown> {
    run(call, Intent::Peek)
}

/// `tryIncr(string $condition, array|object|null $entity = null, int $amount = 1): LimitResult`
pub fn try_incr(call: &mut Call) -> Result<New<LimitResult>, Thrown> {
    run(call, Intent::TryIncr)
}

fn run(call: &mut Call, intent: Intent) -> Result<New<LimitResult>, Thrown> {
    let (rules, batch, mut entities) = operation(call)?;
    let mut result = rules.run(&batch, &mut entities, intent)?;
    match result.results.pop() {
        Some(result) => Ok(New(LimitResult(result))),
        None => Err(Thrown::error(
            "WRStats\\RateLimiter: an operation without result",
        )),
    }
}

/// `incr(string $condition, array|object|null $entity = null, int $amount = 1): void`
pub fn incr(call: &mut Call) -> Result<(), Thrown> {
    let (rules, batch, mut entities) = operation(call)?;
    rules.incr(&batch, &mut entities)
}

/// The operation of the arguments.
fn operation(call: &mut Call) -> Result<(Rules, Batch, EntityObjects), Thrown> {
    let condition = call.bytes()?;
    let entity = call.array_or_object_or_null()?;
    let amount = call.int_or(1)?;
    let entity = Entity::read(entity, call, &|rule| Thrown::argument_type(2, rule))?;
    let rules = call.this::<RateLimiter>()?.rules();
    let mut batch = Batch::new(rules.conditions());
    let id = entity
        .with(|global, list| batch.direct(rules.conditions(), condition, global, list, amount))
        .map_err(|error| invalid(&error, argument(&error)))?;
    let mut entities = EntityObjects::default();
    if let Some(object) = entity.object {
        entities.keep(id, object);
    }
    Ok((rules, batch, entities))
}

/// The argument of an operation that is to blame.
pub fn argument(error: &Invalid) -> u32 {
    match error {
        Invalid::UnknownCondition(_) | Invalid::RepeatedCondition(_) => 1,
        Invalid::NegativeAmount(_) => 3,
        _ => 2,
    }
}

/// `setCurrentTime(int|float $now): void`
pub fn set_current_time(call: &mut Call) -> Result<(), Thrown> {
    let now = call.number()?;
    let set = call.this::<RateLimiter>()?.0.limiter.set_current_time(now);
    set.map_err(|error| invalid(&error, 1))
}

/// `resetCurrentTime(): void`
pub fn reset_current_time(call: &mut Call) -> Result<(), Thrown> {
    call.this::<RateLimiter>()?.0.limiter.reset_current_time();
    Ok(())
}
