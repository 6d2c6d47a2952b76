//! `WRStats\TimeRange`

use super::zend::{Call, Native, Number, Properties, Thrown};

/// From `start` to `end`, UNIX seconds.
#[derive(Clone, Copy, Debug)]
pub struct TimeRange {
    /// UNIX seconds, as given.
    pub start: Number,
    /// UNIX seconds, as given.
    pub end: Number,
}

impl Native for TimeRange {
    fn properties(&self, properties: &mut Properties) {
        properties.set(0, self.start);
        properties.set(1, self.end);
    }
}

/// `__construct(int|float $start, int|float $end)`
pub fn construct(call: &mut Call) -> Result<(), Thrown> {
    let start = call.number()?;
    let end = call.number()?;
    call.construct(TimeRange { start, end })
}

/// `getDuration(): int|float`, an int when both ends are and the difference is one.
pub fn get_duration(call: &mut Call) -> Result<Number, Thrown> {
    let range = *call.this::<TimeRange>()?;
    if let (Number::Int(start), Number::Int(end)) = (range.start, range.end)
        && let Some(duration) = end.checked_sub(start)
    {
        return Ok(Number::Int(duration));
    }
    Ok(Number::Float(range.end.as_f64() - range.start.as_f64()))
}
