//! The conditions of a rate limiter: how much is allowed within how long.

use super::catalog::{Catalog, Host, MetricName, Naming};
use super::error::{Invalid, shown};
use super::number::Number;
use super::place::Place;
use super::spec::{MAX_TTL, Metric, Sequence, Specs, unknown};
use crate::client::input::Input;
use std::rc::Rc;

/// Buckets per window unless the options say otherwise.
const DEFAULT_BUCKETS: i64 = 30;
/// Most buckets per window: each check reads so many counters.
const MAX_BUCKETS: i64 = 10_000;

/// At most `limit` within `window`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its name, also a key component.
    pub name: Vec<u8>,
    /// The most that is let through; 0 or more.
    pub limit: i64,
    /// Seconds; above 0.
    pub window: Number,
}

/// How limits are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As MediaWiki does: the oldest bucket counts for the part of it that lies within the window, and callers read
    /// before they add. Lets more through than the limit when many call at once, and while a full bucket decays.
    #[default]
    Interpolated,
    /// Never lets more through than the limit: whole buckets, and callers add before they read.
    Strict,
}

/// The checked conditions of a rate limiter, with the catalog of their counters; shared by all limiters made from the
/// same input.
#[derive(Debug)]
pub struct Conditions {
    list: Vec<Condition>,
    mode: Mode,
    catalog: Rc<Catalog>,
}

impl Conditions {
    /// Parses `name => ['limit' => 8, 'window' => 60]` and the options `'bucketCount' => 30, 'strict' => false`.
    ///
    /// # Errors
    /// Names the first bad entry by its path; or when there is no prefix component.
    pub fn parse(
        conditions: &Input,
        options: &Input,
        prefix: &[&[u8]],
        naming: Naming,
        host: Host,
    ) -> Result<Conditions, Invalid> {
        let (buckets, mode) = parse_options(options)?;
        let (mut list, mut metrics) = (Vec::new(), Vec::new());
        let root = Place::root("conditions", conditions);
        for (key, place) in root.entries("an array of conditions")? {
            let condition = condition(key.name().into_owned(), &place)?;
            let time_step = condition.window / Number::Int(buckets);
            let mut sequence = Sequence::new(Vec::new(), time_step, condition.window, &place)?;
            if mode == Mode::Strict {
                sequence.ttl = strict_ttl(time_step, condition.window);
            }
            metrics.push(Metric {
                name: condition.name.clone(),
                resolution: Number::Int(1),
                sequences: vec![sequence],
            });
            list.push(condition);
        }
        let catalog = Rc::new(Catalog::new(Specs { metrics }, prefix, naming, host)?);
        Ok(Conditions {
            list,
            mode,
            catalog,
        })
    }

    /// The conditions, in the order given.
    pub fn list(&self) -> &[Condition] {
        &self.list
    }

    /// How limits are kept.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub(super) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The index of the condition of that name.
    pub(super) fn find(&self, name: &[u8]) -> Result<u32, Invalid> {
        self.catalog
            .find(MetricName::from(name))
            .map_err(|_| Invalid::UnknownCondition(shown(name)))
    }

    pub(super) fn condition(&self, index: u32) -> &Condition {
        &self.list[index as usize]
    }

    /// The one sequence of a condition's counters.
    pub(super) fn sequence(&self, index: u32) -> &Sequence {
        &self.catalog.metric(index).sequences[0]
    }
}

/// Seconds for which strict mode has a bucket kept: it must not be gone before its last hit is out of the window. A
/// clock ahead may have made it a bucket early, and memcached counts in whole seconds of its own.
fn strict_ttl(time_step: Number, window: Number) -> u32 {
    ((window + time_step + time_step + time_step).ceil().as_f64() as u32)
        .saturating_add(1)
        .min(MAX_TTL)
}

fn parse_options(options: &Input) -> Result<(i64, Mode), Invalid> {
    let (mut buckets, mut mode) = (DEFAULT_BUCKETS, Mode::Interpolated);
    let root = Place::root("options", options);
    for (key, entry) in root.entries("an array")? {
        match &*key.name() {
            _ if entry.is_null() => {}
            b"bucketCount" => buckets = entry.whole(1..=MAX_BUCKETS, "an int from 1 to 10000")?,
            b"strict" => {
                mode = if entry.truth()? {
                    Mode::Strict
                } else {
                    Mode::Interpolated
                }
            }
            other => return Err(entry.must(&unknown(other, "bucketCount, strict"))),
        }
    }
    Ok((buckets, mode))
}

fn condition(name: Vec<u8>, place: &Place<'_>) -> Result<Condition, Invalid> {
    let (mut limit, mut window) = (None, None);
    for (key, entry) in place.entries("an array with limit and window")? {
        match &*key.name() {
            b"limit" => limit = Some(entry.whole(0..=i64::MAX, "an int, 0 or more")?),
            b"window" => window = Some(entry.positive("a finite number of seconds above 0")?),
            other => return Err(entry.must(&unknown(other, "limit, window"))),
        }
    }
    match (limit, window) {
        (Some(limit), Some(window)) => Ok(Condition {
            name,
            limit,
            window,
        }),
        (None, _) => Err(place.must("have a limit")),
        (_, None) => Err(place.must("have a window")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::Rounding;
    use super::*;
    use crate::client::input::InputKey;

    fn map(entries: Vec<(&str, Input)>) -> Input {
        Input::Array(
            entries
                .into_iter()
                .map(|(k, v)| (InputKey::Bytes(k.into()), v))
                .collect(),
        )
    }

    fn parse(conditions: &Input, options: &Input) -> Result<Conditions, Invalid> {
        let host = Host {
            clock: || Number::ZERO,
            rounding: Rounding::plain(),
        };
        Conditions::parse(conditions, options, &[b"p"], Naming::ByStore, host)
    }

    #[test]
    fn buckets_are_a_part_of_the_window() {
        let of = |window| {
            map(vec![(
                "c",
                map(vec![("limit", Input::Int(0)), ("window", window)]),
            )])
        };
        for (window, count, step, ttl) in [
            (Input::Int(60), Input::Null, Number::Int(2), 62),
            (
                Input::Int(100),
                Input::Int(30),
                Number::Float(100.0 / 30.0),
                104,
            ),
            (Input::Float(1.5), Input::Int(1), Number::Float(1.5), 3),
        ] {
            let parsed = parse(&of(window), &map(vec![("bucketCount", count)])).unwrap();
            assert_eq!(
                (parsed.sequence(0).time_step, parsed.sequence(0).ttl),
                (step, ttl)
            );
            assert_eq!(parsed.mode(), Mode::Interpolated);
        }
        let strict = parse(
            &of(Input::Int(60)),
            &map(vec![("strict", Input::Bool(true))]),
        )
        .unwrap();
        assert_eq!(strict.mode(), Mode::Strict);
        assert_eq!(strict.sequence(0).ttl, 67);
        assert_eq!(
            strict.find(b"d").unwrap_err(),
            Invalid::UnknownCondition("d".into())
        );
    }

    #[test]
    fn every_bad_entry_is_named() {
        let c = |entries| map(vec![("c", map(entries))]);
        let (limit, window) = (("limit", Input::Int(5)), ("window", Input::Int(60)));
        let none = || map(vec![]);
        for (conditions, options, want) in [
            (
                c(vec![limit.clone()]),
                none(),
                "conditions[\"c\"] must have a window",
            ),
            (
                c(vec![window.clone()]),
                none(),
                "conditions[\"c\"] must have a limit",
            ),
            (
                c(vec![("limit", Input::Int(-1)), window.clone()]),
                none(),
                "conditions[\"c\"][\"limit\"] must be an int, 0 or more, -1 given",
            ),
            (
                c(vec![limit.clone(), ("window", Input::Float(f64::NAN))]),
                none(),
                "conditions[\"c\"][\"window\"] must be a finite number of seconds above 0, NAN given",
            ),
            (
                c(vec![limit.clone(), ("window", Input::Int(0))]),
                none(),
                "conditions[\"c\"][\"window\"] must be a finite number of seconds above 0, 0 given",
            ),
            (
                c(vec![limit.clone(), ("window", Input::Float(1e-6))]),
                none(),
                "conditions[\"c\"] must have a time step of at least 0.000001 seconds",
            ),
            (
                c(vec![limit.clone(), window.clone(), ("per", Input::Int(0))]),
                none(),
                "conditions[\"c\"][\"per\"] must not be there: \"per\" is none of limit, window",
            ),
            (
                c(vec![limit.clone(), window.clone()]),
                map(vec![("bucketCount", Input::Int(0))]),
                "options[\"bucketCount\"] must be an int from 1 to 10000, 0 given",
            ),
            (
                c(vec![limit.clone(), window.clone()]),
                map(vec![("strict", Input::Int(1))]),
                "options[\"strict\"] must be true or false, 1 given",
            ),
            (
                c(vec![limit, window]),
                map(vec![("buckets", Input::Int(1))]),
                "options[\"buckets\"] must not be there: \"buckets\" is none of bucketCount, strict",
            ),
            (
                Input::Null,
                none(),
                "conditions must be an array of conditions, null given",
            ),
        ] {
            assert_eq!(parse(&conditions, &options).unwrap_err().to_string(), want);
        }
    }
}
