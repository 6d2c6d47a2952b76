//! Numbers that keep PHP's distinction between int and float.
//!
//! WRStats decides by type in places: an int time divided by an int step stays an int when it divides evenly, and a
//! total is an int only where the resolution is one. The operators here give what PHP's own give on 64-bit builds.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Sub};

/// 2^53: up to here every int is a float too.
const EXACT: i64 = 1 << 53;

/// 2^63: the first float above all ints.
pub(super) const INT_END: f64 = 9_223_372_036_854_775_808.0;

/// An int or a float, as PHP has them. `==` is PHP's `===`; for PHP's `<=>` see [`Number::compare`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// PHP's `int` on 64-bit builds.
    Int(i64),
    /// PHP's `float`.
    Float(f64),
}

use Number::{Float, Int};

impl Number {
    /// Zero, as an int.
    pub const ZERO: Number = Int(0);

    /// The value as a float, as `(float)` gives it.
    #[inline]
    pub fn as_f64(self) -> f64 {
        match self {
            Int(i) => i as f64,
            Float(f) => f,
        }
    }

    /// Neither NAN nor infinite.
    #[inline]
    pub fn is_finite(self) -> bool {
        match self {
            Int(_) => true,
            Float(f) => f.is_finite(),
        }
    }

    /// Zero of either type or sign.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.as_f64() == 0.0
    }

    /// PHP's `(int)`: towards zero, modulo 2^64 outside the range of an int, 0 for NAN and infinities.
    #[inline]
    pub fn to_int(self) -> i64 {
        match self {
            Int(i) => i,
            Float(f) if (-INT_END..INT_END).contains(&f) => f as i64,
            Float(f) if f.is_finite() => (f % (2.0 * INT_END)) as i128 as i64,
            Float(_) => 0,
        }
    }

    /// PHP's `ceil()`, which answers a float for ints too.
    #[inline]
    pub fn ceil(self) -> Number {
        Float(self.as_f64().ceil())
    }

    /// PHP's `<=>`; `None` where a NAN is involved. Two ints compare exactly, mixed ones as floats.
    #[inline]
    pub fn compare(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Int(a), Int(b)) => Some(a.cmp(&b)),
            _ => self.as_f64().partial_cmp(&other.as_f64()),
        }
    }

    /// PHP's `<`.
    #[inline]
    pub fn less_than(self, other: Number) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// PHP's `==`: 0 and 0.0 are equal.
    #[inline]
    pub fn equals(self, other: Number) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// PHP's `min()`: the first of two that compare equal, with its type.
    #[inline]
    pub fn min(self, other: Number) -> Number {
        if other.less_than(self) { other } else { self }
    }

    /// PHP's `max()`: the first of two that compare equal, with its type.
    #[inline]
    pub fn max(self, other: Number) -> Number {
        if self.less_than(other) { other } else { self }
    }
}

/// As PHP shows it.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Int(i) => i.fmt(f),
            Float(x) if x.is_nan() => f.write_str("NAN"),
            Float(x) if x.is_infinite() => f.write_str(if x > 0.0 { "INF" } else { "-INF" }),
            Float(x) => x.fmt(f),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Int(value)
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Float(value)
    }
}

impl Add for Number {
    type Output = Number;
    /// An int sum that overflows is a float.
    #[inline]
    fn add(self, other: Number) -> Number {
        match (self, other) {
            (Int(a), Int(b)) => a
                .checked_add(b)
                .map_or_else(|| Float(a as f64 + b as f64), Int),
            _ => Float(self.as_f64() + other.as_f64()),
        }
    }
}

impl Sub for Number {
    type Output = Number;
    /// An int difference that overflows is a float.
    #[inline]
    fn sub(self, other: Number) -> Number {
        match (self, other) {
            (Int(a), Int(b)) => a
                .checked_sub(b)
                .map_or_else(|| Float(a as f64 - b as f64), Int),
            _ => Float(self.as_f64() - other.as_f64()),
        }
    }
}

impl Mul for Number {
    type Output = Number;
    /// An int product that overflows is a float.
    #[inline]
    fn mul(self, other: Number) -> Number {
        match (self, other) {
            (Int(a), Int(b)) => a
                .checked_mul(b)
                .map_or_else(|| Float(a as f64 * b as f64), Int),
            _ => Float(self.as_f64() * other.as_f64()),
        }
    }
}

impl Div for Number {
    type Output = Number;
    /// Two ints that divide evenly give an int, all else a float. By zero (PHP throws there, callers here never do
    /// it) the answer is the float one.
    #[inline]
    fn div(self, other: Number) -> Number {
        match (self, other) {
            (Int(a), Int(b)) if b != 0 && a.checked_rem(b) == Some(0) => Int(a / b),
            _ => Float(self.as_f64() / other.as_f64()),
        }
    }
}

/// How floats are rounded to whole numbers, half away from zero. PHP's `round()` differs between PHP versions in what
/// it does to floats that are all but a half (older ones round to 15 digits first), and counters must be the same as
/// those that MediaWiki's library makes in the same PHP; so the engine's own function decides where it may matter.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    engine: fn(f64) -> f64,
}

impl Rounding {
    /// Asks `engine` near a half and from 1e9 on, and is as fast as `f64::round` elsewhere.
    pub fn by(engine: fn(f64) -> f64) -> Rounding {
        Rounding { engine }
    }

    /// Half away from zero, with no engine to ask.
    pub fn plain() -> Rounding {
        Rounding { engine: f64::round }
    }

    /// `value` rounded to a whole number.
    #[inline]
    pub fn round(self, value: f64) -> f64 {
        let whole = value.round();
        // Below 1e9 the 15th digit is a millionth at most: no version can move a value further than that.
        if value.abs() < 1e9 && ((value - whole).abs() - 0.5).abs() > 1e-5 {
            whole
        } else {
            (self.engine)(value)
        }
    }

    /// `value` rounded, from an int (which PHP takes through a float) or a float.
    #[inline]
    pub fn round_number(self, value: Number) -> f64 {
        match value {
            Int(i) if (-EXACT..=EXACT).contains(&i) => i as f64,
            other => self.round(other.as_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values are what PHP 8.2 prints for the same expressions.

    #[test]
    fn division_gives_an_int_only_when_even() {
        assert_eq!(Int(6) / Int(3), Int(2));
        assert_eq!(Int(7) / Int(2), Float(3.5));
        assert_eq!(Int(6) / Float(3.0), Float(2.0));
        assert_eq!(Int(i64::MIN) / Int(-1), Float(9.223_372_036_854_776e18));
        assert_eq!(Int(1) / Int(0), Float(f64::INFINITY));
    }

    #[test]
    fn overflowing_ints_become_floats() {
        assert_eq!(Int(i64::MAX) + Int(1), Float(9.223_372_036_854_776e18));
        assert_eq!(Int(i64::MIN) - Int(1), Float(-9.223_372_036_854_776e18));
        assert_eq!(Int(i64::MAX) * Int(2), Float(1.8446744073709552e19));
        assert_eq!(Int(2) * Int(3), Int(6));
    }

    #[test]
    fn int_casts_are_those_of_php() {
        for (value, want) in [
            (1.9, 1),
            (-1.9, -1),
            (1e19, -8446744073709551616),
            (-1e19, 8446744073709551616),
            (9.3e18, -9146744073709551616),
            (f64::NAN, 0),
            (f64::INFINITY, 0),
        ] {
            assert_eq!(Float(value).to_int(), want, "(int){value}");
        }
    }

    #[test]
    fn min_and_max_keep_the_type_of_the_first_of_equals() {
        assert_eq!(Int(1).min(Float(1.0)), Int(1));
        assert_eq!(Float(1.0).min(Int(1)), Float(1.0));
        assert_eq!(Float(0.0).max(Int(0)), Float(0.0));
        assert_eq!(Int(0).max(Float(0.0)), Int(0));
        assert_eq!(Float(2.5).min(Int(2)), Int(2));
        assert_eq!(Float(2.5).max(Int(3)), Int(3));
    }

    #[test]
    fn identity_and_equality_differ() {
        assert_ne!(Int(0), Float(0.0));
        assert!(Int(0).equals(Float(-0.0)));
        assert!(!Float(f64::NAN).equals(Float(f64::NAN)));
        assert!(Int(1).less_than(Float(1.5)));
    }

    #[test]
    fn the_engine_rounds_near_halves_and_large_values_only() {
        let marked = Rounding::by(|_| -1.0);
        for plain in [0.0, 0.4, 0.6, 1.0, 123.25, 999_999_999.0, 1955.4999, -3.2] {
            assert_eq!(marked.round(plain), plain.round(), "{plain}");
        }
        for close in [
            0.5,
            1.4999999999,
            28.499999999999996,
            1e9,
            4e15,
            0.49999999999999994,
            -2.5,
        ] {
            assert_eq!(marked.round(close), -1.0, "{close}");
        }
        assert_eq!(marked.round_number(Int(EXACT)), EXACT as f64);
        assert_eq!(marked.round_number(Int(EXACT + 1)), -1.0);
    }
}
