//! Writers gather increments and hand them to the store in one go.

use super::bucket::bucket_of;
use super::catalog::{Catalog, MetricName};
use super::clock::Now;
use super::entity::{Component, EntityId};
use super::error::{Error, Invalid};
use super::gathering::Gathering;
use super::number::{INT_END, Number, Rounding};
use super::reset::Reset;
use super::store::Store;
use std::rc::Rc;

/// From this many on a gathering should be flushed.
const MANY: usize = 16_384;

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
    /// For an unknown metric, a value that is negative, not finite or too large, and keys that would be too long. Nothing
    /// is gathered then.
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
        let catalog = &*self.catalog;
        let gathering = self
            .gathering
            .get_or_insert_with(|| catalog.take_gathering());
        gathering.entities.check(entity)?;
        if catalog.may_have_long_keys() {
            for (index, sequence) in catalog.metric(metric).sequences.iter().enumerate() {
                let bucket = bucket_of(now, sequence.time_step);
                let entity = (&gathering.entities, entity.index() as u32);
                catalog.check_key((metric, index), bucket, entity)?;
            }
        }
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

    /// As [`Writer::flush`], in two steps: what was gathered is taken out of the writer, which can gather anew while
    /// the other is handed to a store.
    pub fn take(&mut self) -> Option<Gathered> {
        self.now.forget_read();
        self.gathering.take().map(|gathering| Gathered {
            catalog: Rc::clone(&self.catalog),
            gathering,
        })
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
    /// As [`Reset::run`].
    pub fn reset_all<S: Store>(
        &mut self,
        store: &mut S,
        entities: &[(bool, &[Component<'_>])],
    ) -> Result<(), Error<S::Error>> {
        let mut reset = self.begin_reset();
        for (global, components) in entities {
            reset.entity(*global, components);
        }
        reset.run(store)
    }

    /// The beginning of [`Writer::reset_all`]: what was gathered is forgotten; the entities and the rest are up to
    /// the caller.
    pub fn begin_reset(&mut self) -> Reset {
        let now = self.now.get(self.catalog.host().clock);
        self.discard();
        Reset {
            now,
            entities: self.catalog.new_entities(),
            ids: Vec::new(),
            catalog: Rc::clone(&self.catalog),
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

/// What was taken out of a writer, to be handed to a store.
#[derive(Debug)]
pub struct Gathered {
    catalog: Rc<Catalog>,
    gathering: Box<Gathering>,
}

impl Gathered {
    /// Whether all of it was handed over.
    pub fn is_empty(&self) -> bool {
        self.gathering.len() == 0
    }

    /// Forgets it.
    pub fn discard(&mut self) {
        self.gathering.clear();
    }

    /// Hands it to the store.
    ///
    /// # Errors
    /// The store's own. What it was given stays given; what it was not given yet is still here, for another try.
    pub fn hand_over<S: Store>(&mut self, store: &mut S) -> Result<(), S::Error> {
        self.gathering.hand_over(&self.catalog, store)
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
