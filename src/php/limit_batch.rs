//! `WRStats\LimitBatch`

use super::limit_batch_result::LimitBatchResult;
use super::rate_limiter::{RateLimiter, Rules, argument};
use super::stats_entity::Entity;
use super::stats_errors::invalid;
use super::stats_store::EntityObjects;
use super::zend::{
    ArrayOrObject, Call, Held, Native, New, NewArray, ObjectValue, Thrown, View, Visitor,
};
use crate::stats::batch::Batch;
use crate::stats::limiter::Intent;

/// Operations of a limiter, which it keeps alive: what counts is the limiter's time when they are carried out.
pub struct LimitBatch {
    limiter: Held<ObjectValue>,
    batch: Batch,
    default_amount: i64,
}

impl Native for LimitBatch {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        visit.visit(&self.limiter);
    }
}

impl LimitBatch {
    /// Without operations; `rules` are those of `limiter`.
    pub fn new(limiter: Held<ObjectValue>, rules: &Rules, default_amount: i64) -> LimitBatch {
        LimitBatch {
            limiter,
            batch: Batch::new(rules.conditions()),
            default_amount,
        }
    }

    fn rules(&self) -> Result<Rules, Thrown> {
        let limiter = self.limiter.object().state::<RateLimiter>();
        limiter.map(|limiter| limiter.rules()).ok_or_else(|| {
            Thrown::error("WRStats\\RateLimiter: the object is in use further up the call stack")
        })
    }
}

/// `localOp(string $condition, mixed $components = [], ?int $amount = null): static`
pub fn local_op(call: &mut Call) -> Result<Held<ObjectValue>, Thrown> {
    operation(call, false)
}

/// `globalOp(string $condition, mixed $components = [], ?int $amount = null): static`
pub fn global_op(call: &mut Call) -> Result<Held<ObjectValue>, Thrown> {
    operation(call, true)
}

fn operation(call: &mut Call, global: bool) -> Result<Held<ObjectValue>, Thrown> {
    let condition = call.bytes()?;
    let components = call.mixed();
    let amount = call.int_or_null()?;
    let describe = |rule| Thrown::argument_type(2, rule);
    // One component may stand for a list of one.
    let one;
    let entity = match components {
        None => Entity::none(),
        Some(View::Array(array)) => {
            Entity::read(Some(ArrayOrObject::Array(array)), call, &describe)?
        }
        Some(component) => {
            let mut list = NewArray::with_capacity(1);
            list.push(component);
            one = list.hold();
            Entity::read(Some(ArrayOrObject::Array(one.array())), call, &describe)?
        }
    };
    let mut this = call.this::<LimitBatch>()?;
    let rules = this.rules()?;
    let amount = amount.unwrap_or(this.default_amount);
    let added = entity.with(|_, list| {
        this.batch
            .operation(rules.conditions(), condition, global, list, amount)
    });
    added.map_err(|error| invalid(&error, argument(&error)))?;
    drop(this);
    Ok(call.this_object())
}

/// `peek(): LimitBatchResult`
pub fn peek(call: &mut Call) -> Result<New<LimitBatchResult>, Thrown> {
    run(call, Intent::Peek)
}

/// `tryIncr(): LimitBatchResult`
pub fn try_incr(call: &mut Call) -> Result<New<LimitBatchResult>, Thrown> {
    run(call, Intent::TryIncr)
}

fn run(call: &mut Call, intent: Intent) -> Result<New<LimitBatchResult>, Thrown> {
    let (rules, batch) = taken(call)?;
    let result = rules.run(&batch, &mut EntityObjects::default(), intent)?;
    Ok(New(LimitBatchResult::new(&rules, result)))
}

/// `incr(): void`
pub fn incr(call: &mut Call) -> Result<(), Thrown> {
    let (rules, batch) = taken(call)?;
    rules.incr(&batch, &mut EntityObjects::default())
}

/// What is needed to carry it out, apart from the object.
fn taken(call: &Call) -> Result<(Rules, Batch), Thrown> {
    let this = call.this::<LimitBatch>()?;
    Ok((this.rules()?, this.batch.clone()))
}
