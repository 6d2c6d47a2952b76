//! `WRStats\LimitBatchResult`

use super::limit_result::LimitResult;
use super::rate_limiter::Rules;
use super::zend::{Call, Native, New, NewArray, Thrown};
use crate::stats::condition::Conditions;
use crate::stats::limit_result::{self, BatchResult};
use std::rc::Rc;

/// The answers for a batch.
pub struct LimitBatchResult {
    result: BatchResult,
    conditions: Rc<Conditions>,
}

impl Native for LimitBatchResult {}

impl LimitBatchResult {
    /// The answers for a batch under these rules.
    pub fn new(rules: &Rules, result: BatchResult) -> LimitBatchResult {
        LimitBatchResult {
            result,
            conditions: Rc::clone(rules.conditions()),
        }
    }
}

/// `isAllowed(): bool`
pub fn is_allowed(call: &mut Call) -> Result<bool, Thrown> {
    Ok(call.this::<LimitBatchResult>()?.result.is_allowed())
}

/// `getFailedResults(): array`
pub fn get_failed_results(call: &mut Call) -> Result<NewArray, Thrown> {
    results(call, |result| !result.is_allowed())
}

/// `getPassedResults(): array`
pub fn get_passed_results(call: &mut Call) -> Result<NewArray, Thrown> {
    results(call, limit_result::LimitResult::is_allowed)
}

/// `getAllResults(): array`
pub fn get_all_results(call: &mut Call) -> Result<NewArray, Thrown> {
    results(call, |_| true)
}

/// condition => `LimitResult`
fn results(
    call: &mut Call,
    wanted: impl Fn(&limit_result::LimitResult) -> bool,
) -> Result<NewArray, Thrown> {
    let (results, conditions) = {
        let this = call.this::<LimitBatchResult>()?;
        let wanted = this.result.results.iter().filter(|result| wanted(result));
        let results: Vec<_> = wanted.cloned().collect();
        (results, Rc::clone(&this.conditions))
    };
    let mut array = NewArray::with_capacity(results.len());
    for result in results {
        let name = &conditions.list()[result.condition as usize].name;
        array.insert(name, New(LimitResult(result)));
    }
    Ok(array)
}

/// `retryAfter(): float`
pub fn retry_after(call: &mut Call) -> Result<f64, Thrown> {
    Ok(call.this::<LimitBatchResult>()?.result.retry_after())
}
