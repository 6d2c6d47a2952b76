//! `WRStats\Rate`

use super::reader::{HeldReader, Reader, fetch_for};
use super::zend::{Call, Native, Number, Object, Thrown, Visitor};
use crate::stats::rate;

/// One answer of a reader, which it keeps alive.
pub struct Rate {
    reader: HeldReader,
    rate: rate::Rate,
}

impl Native for Rate {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        visit.visit(&self.reader);
    }
}

impl Rate {
    /// An answer of this reader.
    pub fn new(reader: HeldReader, rate: rate::Rate) -> Rate {
        Rate { reader, rate }
    }
}

pub const SECOND: u32 = 1;
pub const MINUTE: u32 = 60;
pub const HOUR: u32 = 3600;
pub const DAY: u32 = 86_400;

#[cold]
fn unusable() -> Thrown {
    Thrown::error("WRStats\\Rate: the object was not constructed, or is in use")
}

/// The total of a rate; the first that is asked for has its reader fetch.
///
/// # Errors
/// As [`fetch_for`].
pub fn total_of(rate: Object<'_>) -> Result<Number, Thrown> {
    let (reader, known) = {
        let rate = rate.state::<Rate>().ok_or_else(unusable)?;
        (rate.reader.clone(), rate.rate.is_known())
    };
    if !known {
        fetch_for(reader.object())?;
    }
    let mut rate = rate.state_mut::<Rate>().ok_or_else(unusable)?;
    let mut reader = reader.object().state_mut::<Reader>().ok_or_else(unusable)?;
    rate.rate
        .fetched_total(reader.inner())
        .map_err(|error| Thrown::error(error.to_string()))
}

/// The total per second of the range, `seconds` times over.
///
/// # Errors
/// As [`total_of`].
pub fn per(rate: Object<'_>, seconds: u32) -> Result<f64, Thrown> {
    let total = total_of(rate)?;
    let rate = rate.state::<Rate>().ok_or_else(unusable)?;
    Ok(rate.rate.spread(total, seconds))
}

fn this_per(call: &mut Call, seconds: u32) -> Result<f64, Thrown> {
    let this = call.this_object();
    per(this.object(), seconds)
}

/// `total(): int|float`
pub fn total(call: &mut Call) -> Result<Number, Thrown> {
    let this = call.this_object();
    total_of(this.object())
}

/// `perSecond(): float`
pub fn per_second(call: &mut Call) -> Result<f64, Thrown> {
    this_per(call, SECOND)
}

/// `perMinute(): float`
pub fn per_minute(call: &mut Call) -> Result<f64, Thrown> {
    this_per(call, MINUTE)
}

/// `perHour(): float`
pub fn per_hour(call: &mut Call) -> Result<f64, Thrown> {
    this_per(call, HOUR)
}

/// `perDay(): float`
pub fn per_day(call: &mut Call) -> Result<f64, Thrown> {
    this_per(call, DAY)
}
