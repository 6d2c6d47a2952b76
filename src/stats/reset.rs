//! Deleting all that a writer's metrics have counted for some entities.

use super::bucket::bucket_of;
use super::catalog::Catalog;
use super::entity::{Component, Entities, EntityId};
use super::error::{Error, Invalid};
use super::number::Number;
use super::store::{Keys, Store};
use std::rc::Rc;

/// Most keys handed to the store in one deletion.
const DELETED_AT_ONCE: usize = 8_192;
/// Most buckets that one reset may cover.
const MAX_RESET: u64 = 1 << 24;

/// What is to be deleted; made by [`Writer::begin_reset`](super::writer::Writer::begin_reset).
#[derive(Debug)]
pub struct Reset {
    pub(super) catalog: Rc<Catalog>,
    pub(super) now: Number,
    pub(super) entities: Entities,
    pub(super) ids: Vec<u32>,
}

impl Reset {
    /// One more entity whose counters are to go.
    pub fn entity(&mut self, global: bool, components: &[Component<'_>]) -> EntityId {
        let id = self.entities.known(global, components, 0);
        self.ids.push(id.index() as u32);
        id
    }

    /// Deletes every bucket of every metric.
    ///
    /// # Errors
    /// The store's own; some may be deleted by then. Or when there are absurdly many buckets.
    pub fn run<S: Store>(&self, store: &mut S) -> Result<(), Error<S::Error>> {
        let mut keys = Keys::default();
        for (metric, spec) in self.catalog.specs().metrics.iter().enumerate() {
            for (index, sequence) in spec.sequences.iter().enumerate() {
                let oldest = self.now - Number::Int(sequence.ttl.into());
                let first = bucket_of(oldest, sequence.time_step) - 1;
                let last = bucket_of(self.now, sequence.time_step) + 1;
                let asked = (last.abs_diff(first) + 1).saturating_mul(self.ids.len() as u64);
                if asked > MAX_RESET {
                    return Err(Invalid::TooManyBuckets(asked, MAX_RESET).into());
                }
                for bucket in first..=last {
                    for &id in &self.ids {
                        let (which, entity) = ((metric as u32, index), (&self.entities, id));
                        keys.push_with(|key| {
                            self.catalog.write_key(store, which, bucket, entity, key)
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
}
