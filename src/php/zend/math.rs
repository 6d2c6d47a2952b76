//! PHP's own arithmetic where ours would differ.

use super::ffi::_php_math_round;

/// `PHP_ROUND_HALF_UP`.
const HALF_UP: std::ffi::c_int = 1;

/// PHP's `round($value)`: half away from zero, with the engine's pre-rounding.
#[must_use]
pub fn round(value: f64) -> f64 {
    // SAFETY: a pure function of its arguments.
    unsafe { _php_math_round(value, 0, HALF_UP) }
}
