//! Writers gather increments and hand them to the store in one go.

use super::bucket::bucket_of;
use super::catalog::{Catalog, MetricName};
use super::clock::Now;
use super::entity::{Component, Entities, EntityId};
use super::error::{Error, Invalid};
use super::number::{INT_END, Number, Rounding};
use super::store::{Increments, Keys, Store};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Gathered sums up to this many are found by looking at each.
const FEW: usize = 8;
/// From this many on a gathering should be flushed.
const MANY: usize = 16_384;
/// Most keys handed to the store in one deletion.
const DELETED_AT_ONCE: usize = 8_192;
/// Most buckets that one reset may cover.
const MAX_RESET: u64 = 1 << 24;

/// What a sum is gathered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    metric: u32,
    entity: u32,
    /// Index into [`Gathering::times`].
    time: u32,
}

impl std::hash::Hash for Counted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(
            u64::from(self.metric) << 40 ^ u64::from(self.time) << 32 ^ u64::from(self.entity),
        );
    }
}

/// A multiplicative hash: what is hashed are small numbers of our own.
#[derive(Default)]
struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

#[derive(Debug)]
struct Sum {
    counted: Counted,
    sum: u64,
    /// How many of the catalog's times to live are done with: more than 0 after a flush that failed half-way.
    ttls_done: usize,
}

/// What a writer has gathered since its last flush.
#[derive(Debug)]
pub(super) struct Gathering {
    entities: Entities,
    sums: Vec<Sum>,
    /// Where to find those sums that can still be added to, once there are more than a few.
    by_counted: HashMap<Counted, u32, BuildHasherDefault<MixHasher>>,
    times: Vec<Number>,
    out: Increments,
}

impl Gathering {
    pub fn new(entities: Entities) -> Gathering {
        Gathering {
            entities,
            sums: Vec::new(),
            by_counted: HashMap::default(),
            times: Vec::new(),
            out: Increments::default(),
        }
    }

    /// Whether it is worth keeping for another writer.
    pub fn is_small(&self) -> bool {
        self.sums.capacity() <= 1024
    }

    /// The index of `now` among the times; the last one's when it is the same.
    #[inline]
    fn time(&mut self, now: Number) -> u32 {
        if self.times.last() != Some(&now) {
            self.times.push(now);
        }
        self.times.len() as u32 - 1
    }

    #[inline]
    fn add(&mut self, counted: Counted, amount: u64) {
        let found = if self.sums.len() <= FEW {
            self.sums
                .iter_mut()
                .find(|sum| sum.counted == counted && sum.ttls_done == 0)
        } else {
            if self.by_counted.is_empty() {
                let open = self
                    .sums
                    .iter()
                    .enumerate()
                    .filter(|(_, sum)| sum.ttls_done == 0);
                self.by_counted = open
                    .map(|(index, sum)| (sum.counted, index as u32))
                    .collect();
            }
            let next = self.sums.len() as u32;
            let index = *self.by_counted.entry(counted).or_insert(next);
            self.sums.get_mut(index as usize)
        };
        match found {
            Some(sum) => sum.sum = sum.sum.saturating_add(amount).min(i64::MAX as u64),
            None => self.sums.push(Sum {
                counted,
                sum: amount,
                ttls_done: 0,
            }),
        }
    }

    fn clear(&mut self) {
        self.sums.clear();
        self.by_counted.clear();
        self.times.clear();
        self.entities.clear();
    }

    /// Hands what has the catalog's `ttl`-th time to live to the store.
    fn hand_over<S: Store>(
        &mut self,
        catalog: &Catalog,
        ttl: usize,
        store: &mut S,
    ) -> Result<(), S::Error> {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        out.ttl = catalog.ttls()[ttl];
        let mut result = self.write_increments(catalog, ttl, store, &mut out);
        if result.is_ok() {
            // From here on they count as given, whatever comes of it.
            self.sums
                .iter_mut()
                .for_each(|sum| sum.ttls_done = sum.ttls_done.max(ttl + 1));
            if !out.keys.is_empty() {
                result = store.incr(&out);
            }
        }
        self.out = out;
        result
    }

    fn write_increments<S: Store>(
        &self,
        catalog: &Catalog,
        ttl: usize,
        store: &mut S,
        out: &mut Increments,
    ) -> Result<(), S::Error> {
        for sum in self.sums.iter().filter(|sum| sum.ttls_done <= ttl) {
            let Counted {
                metric,
                entity,
                time,
            } = sum.counted;
            let now = self.times[time as usize];
            for (index, sequence) in catalog.metric(metric).sequences.iter().enumerate() {
                if sequence.ttl == out.ttl {
                    let entity = (&self.entities, entity);
                    out.keys.push_with(|key| {
                        catalog.write_current_key(store, (metric, index), now, entity, key)
                    })?;
                    out.amounts.push(sum.sum);
                }
            }
        }
        Ok(())
    }
}

/// Gathers increments of a catalog's metrics. [`Writer::flush`] hands them to a store; dropped without that, they are
/// lost.
#[derive(Debug)]
pub struct Writer {
    catalog: Rc<Catalog>,
    now: Now,
    gathering: Option<Box<Gathering>>,
}

impl Writer {
    /// `now`: the time to count at; `None`: the clock's, read at the first increment after creation or a flush.
    ///
    /// # Errors
    /// When `now` is no time.
    pub fn new(catalog: Rc<Catalog>, now: Option<Number>) -> Result<Writer, Invalid> {
        Ok(Writer {
            catalog,
            now: Now::starting(now)?,
            gathering: None,
        })
    }

    /// The entity that was last made known under this hint, if it was under the same. 0 is no hint. Whoever gives
    /// hints sees to it that until the next flush one hint means one entity (an object's address does while the
    /// object is held).
    #[inline]
    pub fn remembered(&self, hint: usize) -> Option<EntityId> {
        self.gathering.as_ref()?.entities.remembered(hint)
    }

    /// Makes an entity known until the next flush.
    pub fn entity(&mut self, global: bool, components: &[Component<'_>], hint: usize) -> EntityId {
        self.gathering().entities.known(global, components, hint)
    }

    fn gathering(&mut self) -> &mut Gathering {
        self.gathering
            .get_or_insert_with(|| self.catalog.take_gathering())
    }

    /// Adds `value` to a metric of an entity. It is rounded to the metric's resolution by itself.
    ///
    /// # Errors
    /// For an unknown metric, and a value that is negative, not finite or too large. Nothing is gathered then.
    #[inline]
    pub fn incr(
        &mut self,
        metric: MetricName<'_>,
        entity: EntityId,
        value: Number,
    ) -> Result<(), Invalid> {
        let metric = self.catalog.find(metric)?;
        let host = self.catalog.host();
        let amount = steps(value, self.catalog.metric(metric).resolution, host.rounding)?;
        let gathering = self
            .gathering
            .get_or_insert_with(|| self.catalog.take_gathering());
        gathering.entities.check(entity)?;
        let time = gathering.time(self.now.get(host.clock));
        gathering.add(
            Counted {
                metric,
                entity: entity.index() as u32,
                time,
            },
            amount,
        );
        Ok(())
    }

    /// How many sums are gathered: at most one per metric, entity and time.
    pub fn gathered(&self) -> usize {
        self.gathering
            .as_ref()
            .map_or(0, |gathering| gathering.sums.len())
    }

    /// Whether so much is gathered that it should be flushed before more is.
    pub fn wants_flush(&self) -> bool {
        self.gathered() >= MANY
    }

    /// Hands what was gathered to the store, forgets the entities, and has the clock read anew at the next increment
    /// unless a time was set.
    ///
    /// # Errors
    /// The store's own. What it was given stays given; what it was not given yet stays gathered for the next flush.
    pub fn flush<S: Store>(&mut self, store: &mut S) -> Result<(), S::Error> {
        self.now.forget_read();
        let Some(mut gathering) = self.gathering.take() else {
            return Ok(());
        };
        for ttl in 0..self.catalog.ttls().len() {
            if let Err(error) = gathering.hand_over(&self.catalog, ttl, store) {
                gathering.by_counted.clear();
                let ttls = self.catalog.ttls().len();
                gathering.sums.retain(|sum| sum.ttls_done < ttls);
                self.gathering = Some(gathering);
                return Err(error);
            }
        }
        self.release(gathering);
        Ok(())
    }

    fn release(&self, mut gathering: Box<Gathering>) {
        gathering.clear();
        self.catalog.give_back(gathering);
    }

    /// Forgets what was gathered: in a forked child it is the parent's.
    pub fn discard(&mut self) {
        self.now.forget_read();
        if let Some(gathering) = self.gathering.take() {
            self.release(gathering);
        }
    }

    /// Deletes every bucket of every metric of these entities (given as global or not, and components), and forgets
    /// what was gathered.
    ///
    /// # Errors
    /// The store's own; some may be deleted by then. Or when there are absurdly many buckets.
    pub fn reset_all<S: Store>(
        &mut self,
        store: &mut S,
        entities: &[(bool, &[Component<'_>])],
    ) -> Result<(), Error<S::Error>> {
        let now = self.now.get(self.catalog.host().clock);
        if let Some(gathering) = self.gathering.take() {
            self.release(gathering);
        }
        let mut known = self.catalog.new_entities();
        let ids: Vec<u32> = entities
            .iter()
            .map(|(global, components)| known.known(*global, components, 0).index() as u32)
            .collect();
        let mut keys = Keys::default();
        for (metric, spec) in self.catalog.specs().metrics.iter().enumerate() {
            for (index, sequence) in spec.sequences.iter().enumerate() {
                let first =
                    bucket_of(now - Number::Int(sequence.ttl.into()), sequence.time_step) - 1;
                let last = bucket_of(now, sequence.time_step) + 1;
                let asked = (last.abs_diff(first) + 1).saturating_mul(ids.len() as u64);
                if asked > MAX_RESET {
                    return Err(Invalid::TooManyBuckets(asked, MAX_RESET).into());
                }
                for bucket in first..=last {
                    for &id in &ids {
                        let which = (metric as u32, index);
                        keys.push_with(|key| {
                            self.catalog
                                .write_key(store, which, bucket, (&known, id), key)
                        })
                        .map_err(Error::Store)?;
                        if keys.len() >= DELETED_AT_ONCE {
                            store.delete(&keys).map_err(Error::Store)?;
                            keys.clear();
                        }
                    }
                }
            }
        }
        if keys.is_empty() {
            Ok(())
        } else {
            store.delete(&keys).map_err(Error::Store)
        }
    }

    /// Counts at this time from now on, flush or not. What is gathered keeps its own.
    ///
    /// # Errors
    /// When it is no time.
    pub fn set_current_time(&mut self, now: Number) -> Result<(), Invalid> {
        self.now = Now::starting(Some(now))?;
        Ok(())
    }

    /// Has the clock read at the next increment.
    pub fn reset_current_time(&mut self) {
        self.now = Now::default();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.discard();
    }
}

/// A value in steps of the resolution, rounded.
///
/// # Errors
/// When it is negative, not finite or too large.
#[inline]
fn steps(value: Number, resolution: Number, rounding: Rounding) -> Result<u64, Invalid> {
    const EXACT: i64 = 1 << 53;
    if let (Number::Int(value @ 0..=EXACT), Number::Int(1)) = (value, resolution) {
        return Ok(value as u64);
    }
    let steps = rounding.round_number(value / resolution);
    // NAN is not within the range either.
    if value.as_f64() >= 0.0 && (0.0..INT_END).contains(&steps) {
        Ok(steps as u64)
    } else {
        Err(Invalid::Value(value.to_string()))
    }
}
