//! Lifetimes: always relative, whatever their length.
//!
//! memcached takes an exptime above 30 days for an absolute UNIX time and keeps it in 32 bits,
//! so long lifetimes are turned into times when they are written to the wire.

use std::fmt;

/// The longest exptime that memcached reads as relative, in seconds (`REALTIME_MAXDELTA`).
pub const MAX_RELATIVE: u32 = 60 * 60 * 24 * 30;

/// Exptimes end here: the server's field is 32 bits, and 2^31 is past at once.
const END_OF_TIME: u64 = 1 << 31;

/// Seconds an item lives; 0 is for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ttl(u32);

impl Ttl {
    /// Never expires.
    pub const FOREVER: Ttl = Ttl(0);

    /// A lifetime of `seconds`; `unix_now` is asked for the time only when it matters.
    ///
    /// # Errors
    /// [`TtlError`] when negative, or when it would end at or after 2^31 UNIX seconds (which is
    /// what passing a time instead of a duration looks like).
    #[inline]
    pub fn new(seconds: i64, unix_now: impl FnOnce() -> u32) -> Result<Ttl, TtlError> {
        if (0..=i64::from(MAX_RELATIVE)).contains(&seconds) {
            return Ok(Ttl(seconds as u32));
        }
        match u32::try_from(seconds) {
            Ok(ttl) if u64::from(ttl) + u64::from(unix_now()) < END_OF_TIME => Ok(Ttl(ttl)),
            _ => Err(TtlError),
        }
    }

    /// A lifetime of `seconds`, cut to the longest that a server keeps: for lifetimes worked out
    /// rather than given.
    pub fn capped(seconds: u32, unix_now: impl FnOnce() -> u32) -> Ttl {
        if seconds <= MAX_RELATIVE {
            return Ttl(seconds);
        }
        let longest = END_OF_TIME.saturating_sub(1 + u64::from(unix_now())) as u32;
        Ttl(seconds.min(longest))
    }

    /// Back from a queue record.
    pub(crate) const fn from_raw(seconds: u32) -> Ttl {
        Ttl(seconds)
    }

    /// The lifetime in seconds, 0 for ever.
    #[inline]
    pub const fn seconds(self) -> u32 {
        self.0
    }

    /// The exptime field for a command sent at `unix_now`.
    #[inline]
    pub const fn exptime(self, unix_now: u32) -> u32 {
        if self.0 <= MAX_RELATIVE {
            self.0
        } else {
            unix_now.saturating_add(self.0)
        }
    }
}

/// A lifetime that is none. `Display` completes "… must be …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtlError;

impl fmt::Display for TtlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "0 (never) or a number of seconds that ends before 2^31 UNIX seconds: \
             a duration, not a time",
        )
    }
}

impl std::error::Error for TtlError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_and_wire_form() {
        const NOW: u32 = 1_790_000_000;
        let wire = |seconds| Ttl::new(seconds, || NOW).map(|ttl| ttl.exptime(NOW));
        for (seconds, exptime) in [
            (0, Ok(0)),
            (1, Ok(1)),
            (2_592_000, Ok(2_592_000)),
            (2_592_001, Ok(NOW + 2_592_001)),
            (31_536_000, Ok(NOW + 31_536_000)),
            ((1 << 31) - 1 - i64::from(NOW), Ok(u32::MAX / 2)),
            ((1 << 31) - i64::from(NOW), Err(TtlError)),
            (i64::from(NOW), Err(TtlError)),
            (1 << 32, Err(TtlError)),
            (-1, Err(TtlError)),
            (i64::MIN, Err(TtlError)),
        ] {
            assert_eq!(wire(seconds), exptime, "{seconds}");
        }
    }

    #[test]
    fn short_lifetimes_do_not_ask_for_the_time() {
        assert!(Ttl::new(60, || unreachable!()).is_ok());
    }
}
