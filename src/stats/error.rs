//! What can be wrong with what a caller gave.

use std::fmt;

/// A wrong argument; the PHP layer makes it a `\ValueError`. `Display` gives a message that names the bad entry and
/// says what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// An entry of the specs, conditions or options.
    Entry {
        /// Where it is, such as `specs["hits"]["sequences"][0]["timeStep"]`.
        path: String,
        /// What it must be, such as `must be a number of seconds`.
        rule: String,
    },
    /// No prefix component was given.
    NoPrefix,
    /// Not among the specs.
    UnknownMetric(String),
    /// Not among the conditions of the rate limiter.
    UnknownCondition(String),
    /// The condition is in the batch already.
    RepeatedCondition(String),
    /// A value to count that is negative, NAN, infinite, or too large for the store; the value.
    Value(String),
    /// An amount below 0.
    NegativeAmount(i64),
    /// A time that is NAN, infinite or absurd; the time.
    Time(String),
    /// A range whose end is before its start; both.
    Range(String, String),
    /// More buckets than one call may touch: what was asked for, and the most.
    TooManyBuckets(u64, u64),
    /// A key that is too long: the key, and the most bytes it may have.
    LongKey(String, usize),
    /// An entity id of another writer or from before the last flush: a slip of the caller.
    StaleEntity,
}

impl Invalid {
    /// What is wrong, as `Display` names it.
    fn subject(&self) -> &str {
        match self {
            Invalid::Entry { path, .. } => path,
            Invalid::NoPrefix => "prefix",
            Invalid::UnknownMetric(_) => "metric",
            Invalid::UnknownCondition(_) | Invalid::RepeatedCondition(_) => "condition",
            Invalid::Value(_) => "value",
            Invalid::NegativeAmount(_) => "amount",
            Invalid::Time(_) => "time",
            Invalid::Range(..) | Invalid::TooManyBuckets(..) => "time range",
            Invalid::LongKey(..) | Invalid::StaleEntity => "entity",
        }
    }

    /// What it must be, and what it is: the message without its subject.
    pub fn rule(&self) -> String {
        match self {
            Invalid::Entry { rule, .. } => rule.clone(),
            Invalid::NoPrefix => "must have at least one component".into(),
            Invalid::UnknownMetric(name) => {
                format!("must be one of the metrics in the specs, \"{name}\" given")
            }
            Invalid::UnknownCondition(name) => {
                format!("must be one of the rate limiter's conditions, \"{name}\" given")
            }
            Invalid::RepeatedCondition(name) => format!(
                "must not be in the batch already, as \"{name}\" is: results are indexed by condition"
            ),
            Invalid::Value(value) => format!(
                "must be a finite number, 0 or more, and below 2^63 steps of the metric's resolution, {value} given"
            ),
            Invalid::NegativeAmount(amount) => {
                format!("must be greater than or equal to 0, {amount} given")
            }
            Invalid::Time(time) => {
                format!("must be a number of UNIX seconds within 1e12 of 1970, {time} given")
            }
            Invalid::Range(start, end) => {
                format!("must not end before it starts, {start} to {end} given")
            }
            Invalid::TooManyBuckets(asked, most) => format!(
                "must not cover more than {most} buckets of the sequence that answers it, {asked} given"
            ),
            Invalid::LongKey(key, most) => format!(
                "must not make keys longer than the {most} bytes that prefix and route leave of memcached's 250, \"{key}\" is"
            ),
            Invalid::StaleEntity => {
                "must belong to this writer and be made known after its last flush".into()
            }
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.subject(), self.rule())
    }
}

impl std::error::Error for Invalid {}

/// What a call that talks to a store can fail with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error<E> {
    /// The caller's fault.
    Invalid(Invalid),
    /// The store's own error, passed through.
    Store(E),
}

impl<E> From<Invalid> for Error<E> {
    fn from(error: Invalid) -> Self {
        Error::Invalid(error)
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(error) => error.fmt(f),
            Error::Store(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

/// Bytes that came from outside, made fit for a message: escaped, and cut after 100 bytes.
pub fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(100)];
    let dots = if cut.len() < bytes.len() { "..." } else { "" };
    format!("{}{dots}", cut.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_bytes_are_escaped_and_cut() {
        assert_eq!(shown(b"a\n\"\xff"), "a\\n\\\"\\xff");
        assert_eq!(shown(&[b'x'; 101]), format!("{}...", "x".repeat(100)));
    }
}
