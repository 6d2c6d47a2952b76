//! `WRStats\LimitResult`

use super::zend::{Call, Native, Number, Properties, Thrown};
use crate::stats::limit_result;

/// The answer for one operation.
pub struct LimitResult(pub limit_result::LimitResult);

impl Native for LimitResult {
    fn properties(&self, properties: &mut Properties) {
        properties.set(0, Number::Int(self.0.limit));
        properties.set(1, self.0.window);
        properties.set(2, Number::Int(self.0.prev_total));
        properties.set(3, Number::Int(self.0.new_total));
    }
}

/// `isAllowed(): bool`
pub fn is_allowed(call: &mut Call) -> Result<bool, Thrown> {
    Ok(call.this::<LimitResult>()?.0.is_allowed())
}

/// `remaining(): int`
pub fn remaining(call: &mut Call) -> Result<i64, Thrown> {
    Ok(call.this::<LimitResult>()?.0.remaining())
}

/// `retryAfter(): float`
pub fn retry_after(call: &mut Call) -> Result<f64, Thrown> {
    Ok(call.this::<LimitResult>()?.0.retry_after())
}
