//! Writers gather increments and hand them to the store in one go.

use super::bucket::bucket_of;
use super::catalog::{Catalog, MetricName};
use super::clock::Now;
use super::entity::{Component, EntityId};
use super::error::{Error, Invalid};
use super::gathering::Gathering;
use super::number::{INT_END, Number, Rounding};
use super::store::{Keys, Store};
use std::rc::Rc;

/// From this many on a gathering should be flushed.
const MANY: usize = 16_384;
/// Most keys handed to the store in one deletion.
const DELETED_AT_ONCE: usize = 8_192;
/// Most buckets that one reset may cover.
const MAX_RESET: u64 = 1 << 24;

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
        let now = self.now.get(host.clock);
        let gathering = self.gathering();
        gathering.entities.check(entity)?;
        gathering.add(metric, entity, now, amount);
        Ok(())
    }

    /// How many sums are gathered: at most one per metric, entity and time.
    pub fn gathered(&self) -> usize {
        self.gathering
            .as_ref()
            .map_or(0, |gathering| gathering.len())
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
        let Some(gathering) = &mut self.gathering else {
            return Ok(());
        };
        gathering.hand_over(&self.catalog, store)?;
        self.discard();
        Ok(())
    }

    /// Forgets what was gathered: in a forked child it is the parent's.
    pub fn discard(&mut self) {
        self.now.forget_read();
        if let Some(mut gathering) = self.gathering.take() {
            gathering.clear();
            self.catalog.give_back(gathering);
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
        self.discard();
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
