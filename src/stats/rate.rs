//! A rate: what one metric of one entity counted within a time range, once its reader has fetched it.

use super::bucket::TimeRange;
use super::error::{Error, Invalid};
use super::number::Number;
use super::reader::Reader;
use super::store::Store;

/// One answer of a [`Reader`]; made by [`Reader::get_rate`] and good with that reader only.
#[derive(Clone, Debug)]
pub struct Rate {
    pub(super) metric: u32,
    pub(super) sequence: u32,
    /// Index of the reader's series.
    pub(super) series: u32,
    pub(super) range: TimeRange,
    total: Option<Number>,
}

impl Rate {
    pub(super) fn new(metric: u32, sequence: u32, series: u32, range: TimeRange) -> Rate {
        Rate {
            metric,
            sequence,
            series,
            range,
            total: None,
        }
    }

    /// The range asked for.
    pub fn range(&self) -> TimeRange {
        self.range
    }

    /// What was counted within the range, rounded to the metric's resolution; an int where that is one. The first
    /// call has the reader fetch all that it has gathered, and decides the answer for good.
    ///
    /// # Errors
    /// The store's own, of fetching; the next call tries again.
    pub fn total<S: Store>(
        &mut self,
        reader: &mut Reader,
        store: &mut S,
    ) -> Result<Number, Error<S::Error>> {
        if self.total.is_none() {
            reader.fetch(store).map_err(Error::Store)?;
        }
        Ok(self.fetched_total(reader)?)
    }

    /// [`Rate::total`] by what the reader has fetched already.
    ///
    /// # Errors
    /// The reader is another one than this was made by.
    pub fn fetched_total(&mut self, reader: &mut Reader) -> Result<Number, Invalid> {
        if let Some(total) = self.total {
            return Ok(total);
        }
        let total = reader.total_of(self)?;
        self.total = Some(total);
        Ok(total)
    }

    /// Whether the answer is decided.
    pub fn is_known(&self) -> bool {
        self.total.is_some()
    }

    /// `total`, which is this rate's, per second of the range, `seconds` times over. A range without length has none.
    pub fn spread(&self, total: Number, seconds: u32) -> f64 {
        let duration = self.range.duration();
        if duration.is_zero() {
            return 0.0;
        }
        (total / duration * Number::Int(seconds.into())).as_f64()
    }

    /// [`Rate::total`] per second of the range, `seconds` times over. A range without length has none.
    ///
    /// # Errors
    /// As [`Rate::total`].
    pub fn per<S: Store>(
        &mut self,
        seconds: u32,
        reader: &mut Reader,
        store: &mut S,
    ) -> Result<f64, Error<S::Error>> {
        let total = self.total(reader, store)?;
        Ok(self.spread(total, seconds))
    }
}
