//! Readers gather what is to be read and fetch all of it in one round trip.

use super::bucket::{TimeRange, total};
use super::catalog::{Catalog, MetricName};
use super::clock::Now;
use super::entity::{Component, Entities, EntityId};
use super::error::Invalid;
use super::number::Number;
use super::rate::Rate;
use super::store::{Keys, Store};
use std::collections::HashMap;
use std::rc::Rc;

/// Most buckets that one rate may cover.
const MAX_BUCKETS: u64 = 1 << 20;

#[derive(Clone, Copy, Debug)]
enum Value {
    /// To be asked for with the next fetch.
    Wanted,
    /// Asked for, and not there: asked for again when another rate needs it.
    Absent,
    /// Read, and kept for good.
    Read(Number),
}

#[derive(Debug)]
struct Slot {
    series: u32,
    bucket: i64,
    value: Value,
}

/// Consecutive buckets in consecutive slots.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: i64,
    last: i64,
    slot: usize,
}

/// The buckets of one sequence for one entity that some rate has asked for.
#[derive(Debug)]
struct Series {
    metric: u32,
    sequence: u32,
    entity: u32,
    /// In order of buckets, and without overlap.
    runs: Vec<Run>,
}

impl Series {
    fn slot(&self, bucket: i64) -> Option<usize> {
        let run = self.runs[..self.runs.partition_point(|run| run.first <= bucket)].last()?;
        (bucket <= run.last).then(|| run.slot + bucket.abs_diff(run.first) as usize)
    }
}

/// Reads a catalog's metrics.
#[derive(Debug)]
pub struct Reader {
    catalog: Rc<Catalog>,
    now: Now,
    /// Shared with a fetch that is under way.
    entities: Rc<Entities>,
    series: Vec<Series>,
    by_content: HashMap<(u32, u32, u32), u32>,
    slots: Vec<Slot>,
    /// Slots whose value is wanted.
    wanted: Vec<usize>,
}

impl Reader {
    /// `now`: the current time; `None`: the clock's, read when first needed and kept.
    ///
    /// # Errors
    /// When `now` is no time.
    pub fn new(catalog: Rc<Catalog>, now: Option<Number>) -> Result<Reader, Invalid> {
        Ok(Reader {
            now: Now::starting(now)?,
            entities: Rc::new(catalog.new_entities()),
            catalog,
            series: Vec::new(),
            by_content: HashMap::new(),
            slots: Vec::new(),
            wanted: Vec::new(),
        })
    }

    /// The entity that was last made known under this hint; see [`Writer::remembered`](super::writer::Writer::remembered).
    pub fn remembered(&self, hint: usize) -> Option<EntityId> {
        self.entities.remembered(hint)
    }

    /// Makes an entity known to this reader, for good.
    pub fn entity(&mut self, global: bool, components: &[Component<'_>], hint: usize) -> EntityId {
        Rc::make_mut(&mut self.entities).known(global, components, hint)
    }

    /// The last `seconds` before the current time.
    ///
    /// # Errors
    /// When the seconds are negative or not finite.
    pub fn latest(&mut self, seconds: Number) -> Result<TimeRange, Invalid> {
        let now = self.now.get(self.catalog.host().clock);
        TimeRange::new(now - seconds, now)
    }

    /// Gathers what a metric of an entity counted within a range. It comes from the first of the metric's sequences
    /// that reaches back to the start of the range, else from the one that reaches back furthest.
    ///
    /// # Errors
    /// For an unknown metric, when the range covers absurdly many buckets, and when keys would be too long.
    pub fn get_rate(
        &mut self,
        metric: MetricName<'_>,
        entity: EntityId,
        range: TimeRange,
    ) -> Result<Rate, Invalid> {
        let metric = self.catalog.find(metric)?;
        self.entities.check(entity)?;
        let now = self.now.get(self.catalog.host().clock);
        let sequences = &self.catalog.metric(metric).sequences;
        let reaches_back = |expiry| !range.start().less_than(now - expiry);
        let sequence = sequences
            .iter()
            .position(|sequence| reaches_back(sequence.expiry))
            .unwrap_or(sequences.len() - 1);
        let (first, last) = range.buckets(sequences[sequence].time_step);
        let asked = last.abs_diff(first).saturating_add(1);
        if asked > MAX_BUCKETS {
            return Err(Invalid::TooManyBuckets(asked, MAX_BUCKETS));
        }
        if self.catalog.may_have_long_keys() {
            // Buckets between have no more digits.
            for bucket in [first, last] {
                let (which, entity) =
                    ((metric, sequence), (&*self.entities, entity.index() as u32));
                self.catalog.check_key(which, bucket, entity)?;
            }
        }
        let series = self.series(metric, sequence as u32, entity.index() as u32);
        self.want(series, first, last);
        Ok(Rate::new(metric, sequence as u32, series, range))
    }

    fn series(&mut self, metric: u32, sequence: u32, entity: u32) -> u32 {
        let next = self.series.len() as u32;
        let index = *self
            .by_content
            .entry((metric, sequence, entity))
            .or_insert(next);
        if index == next {
            self.series.push(Series {
                metric,
                sequence,
                entity,
                runs: Vec::new(),
            });
        }
        index
    }

    /// Has the next fetch ask for those of a series' buckets that were not read before.
    fn want(&mut self, series: u32, first: i64, last: i64) {
        let of = &mut self.series[series as usize];
        let mut bucket = first;
        while bucket <= last {
            let at = of.runs.partition_point(|run| run.last < bucket);
            match of.runs.get(at).copied() {
                Some(run) if run.first <= bucket => {
                    let slot = run.slot + bucket.abs_diff(run.first) as usize;
                    for slot in slot..=slot + last.min(run.last).abs_diff(bucket) as usize {
                        if let Value::Absent = self.slots[slot].value {
                            self.slots[slot].value = Value::Wanted;
                            self.wanted.push(slot);
                        }
                    }
                    bucket = run.last + 1;
                }
                next => {
                    let until = next.map_or(last, |next| last.min(next.first - 1));
                    of.runs.insert(
                        at,
                        Run {
                            first: bucket,
                            last: until,
                            slot: self.slots.len(),
                        },
                    );
                    for bucket in bucket..=until {
                        self.wanted.push(self.slots.len());
                        self.slots.push(Slot {
                            series,
                            bucket,
                            value: Value::Wanted,
                        });
                    }
                    bucket = until + 1;
                }
            }
        }
    }

    /// Fetches what was gathered, in one round trip. Without anything gathered it does nothing.
    ///
    /// # Errors
    /// The store's own; all of it stays gathered then.
    pub fn fetch<S: Store>(&mut self, store: &mut S) -> Result<(), S::Error> {
        if let Some(fetch) = self.begin_fetch() {
            let fetched = fetch.run(store)?;
            self.finish_fetch(&fetched);
        }
        Ok(())
    }

    /// The beginning of [`Reader::fetch`]: what is to be read; `None` where nothing is. The reader can gather more
    /// meanwhile.
    pub fn begin_fetch(&self) -> Option<Fetch> {
        if self.wanted.is_empty() {
            return None;
        }
        let wanted = self.wanted.iter().map(|&slot| {
            let Slot { series, bucket, .. } = self.slots[slot];
            let of = &self.series[series as usize];
            Wanted {
                slot,
                metric: of.metric,
                sequence: of.sequence,
                entity: of.entity,
                bucket,
            }
        });
        Some(Fetch {
            wanted: wanted.collect(),
            catalog: Rc::clone(&self.catalog),
            entities: Rc::clone(&self.entities),
        })
    }

    /// The end of [`Reader::fetch`].
    pub fn finish_fetch(&mut self, fetched: &Fetched) {
        for &(slot, value) in &fetched.values {
            // Another fetch, begun meanwhile, may have been quicker.
            if let Value::Wanted = self.slots[slot].value {
                self.slots[slot].value = value.map_or(Value::Absent, Value::Read);
            }
        }
        let slots = &self.slots;
        self.wanted
            .retain(|&slot| matches!(slots[slot].value, Value::Wanted));
    }

    /// What a rate's range holds, by what was fetched.
    pub(super) fn total_of(&mut self, rate: &Rate) -> Result<Number, Invalid> {
        let series = self.series.get(rate.series as usize);
        let series = series
            .filter(|series| (series.metric, series.sequence) == (rate.metric, rate.sequence))
            .ok_or(Invalid::StaleEntity)?;
        let host = self.catalog.host();
        let now = self.now.get(host.clock);
        let metric = self.catalog.metric(rate.metric);
        let value = |bucket| match series.slot(bucket).map(|slot| self.slots[slot].value) {
            Some(Value::Read(value)) => value,
            _ => Number::ZERO,
        };
        let count = rate.range.count(
            metric.sequences[rate.sequence as usize].time_step,
            now,
            value,
        );
        Ok(total(count, metric.resolution, host.rounding))
    }

    /// Takes this for the current time from now on.
    ///
    /// # Errors
    /// When it is no time.
    pub fn set_current_time(&mut self, now: Number) -> Result<(), Invalid> {
        self.now = Now::starting(Some(now))?;
        Ok(())
    }

    /// Has the clock read when the current time is next needed.
    pub fn reset_current_time(&mut self) {
        self.now = Now::default();
    }
}

/// One bucket that is to be read.
#[derive(Debug)]
struct Wanted {
    slot: usize,
    metric: u32,
    sequence: u32,
    entity: u32,
    bucket: i64,
}

/// What is to be read, apart from its reader.
#[derive(Debug)]
pub struct Fetch {
    catalog: Rc<Catalog>,
    entities: Rc<Entities>,
    wanted: Vec<Wanted>,
}

/// What was read.
#[derive(Debug)]
pub struct Fetched {
    /// Slot and value, `None` for counters that are not there.
    values: Vec<(usize, Option<Number>)>,
}

impl Fetch {
    /// Reads it, in one round trip.
    ///
    /// # Errors
    /// The store's own.
    pub fn run<S: Store>(self, store: &mut S) -> Result<Fetched, S::Error> {
        let mut keys = Keys::with_capacity(self.wanted.len());
        for wanted in &self.wanted {
            let which = (wanted.metric, wanted.sequence as usize);
            let entity = (&*self.entities, wanted.entity);
            keys.push_with(|key| {
                self.catalog
                    .write_key(store, which, wanted.bucket, entity, key)
            })?;
        }
        let mut values: Vec<(usize, Option<Number>)> = self
            .wanted
            .iter()
            .map(|wanted| (wanted.slot, None))
            .collect();
        store.query(&keys, &mut |index, value| {
            if let Some((_, slot)) = values.get_mut(index) {
                *slot = Some(value);
            }
        })?;
        Ok(Fetched { values })
    }
}
