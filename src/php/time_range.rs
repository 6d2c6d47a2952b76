//! `WRStats\TimeRange`

use super::stats_errors::invalid;
use super::zend::{Call, Native, Number, Object, Properties, Thrown};
use crate::stats::bucket;
use crate::stats::error::Invalid;

/// From start to end, UNIX seconds.
#[derive(Clone, Copy, Debug)]
pub struct TimeRange(pub bucket::TimeRange);

impl Native for TimeRange {
    fn properties(&self, properties: &mut Properties) {
        properties.set(0, self.0.start());
        properties.set(1, self.0.end());
    }
}

impl TimeRange {
    /// The range of an argument.
    ///
    /// # Errors
    /// `\Error` when it was never constructed.
    pub fn of(object: Object<'_>) -> Result<bucket::TimeRange, Thrown> {
        match object.state::<TimeRange>() {
            Some(range) => Ok(range.0),
            None => Err(Thrown::error(
                "WRStats\\TimeRange: the object was not constructed",
            )),
        }
    }
}

/// Arguments 1 and 2, `$start` and `$end`, as a range.
///
/// # Errors
/// `\ValueError`.
pub fn from_arguments(call: &mut Call) -> Result<TimeRange, Thrown> {
    let start = call.number()?;
    let end = call.number()?;
    bucket::TimeRange::new(start, end)
        .map(TimeRange)
        .map_err(|error| match error {
            Invalid::Range(..) => Thrown::argument_value(
                2,
                format!("must be greater than or equal to argument #1 ($start), {end} given"),
            ),
            // Both are times: the first that isn't one is to blame.
            _ if bucket::TimeRange::new(start, start).is_err() => invalid(&error, 1),
            _ => invalid(&error, 2),
        })
}

/// `__construct(int|float $start, int|float $end)`
pub fn construct(call: &mut Call) -> Result<(), Thrown> {
    let range = from_arguments(call)?;
    call.construct(range)
}

/// `getDuration(): int|float`, an int when both ends are.
pub fn get_duration(call: &mut Call) -> Result<Number, Thrown> {
    Ok(call.this::<TimeRange>()?.0.duration())
}
