//! What a writer gathers between two flushes: sums of increments, and the entities they are for.

use super::catalog::Catalog;
use super::entity::{Entities, EntityId};
use super::number::Number;
use super::store::{Increments, Store};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Gathered sums up to this many are found by looking at each.
const FEW: usize = 8;
/// Most bytes that a gathering may hold on to while it waits for its next writer.
const MAX_SPARE_BYTES: usize = 64 << 10;

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
    pub entities: Entities,
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
            && self.entities.reserved_bytes() + self.out.keys.reserved_bytes() <= MAX_SPARE_BYTES
    }

    /// How many sums there are.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Adds to the sum of a metric and an entity at a time.
    #[inline]
    pub fn add(&mut self, metric: u32, entity: EntityId, now: Number, amount: u64) {
        if self.times.last() != Some(&now) {
            self.times.push(now);
        }
        let time = self.times.len() as u32 - 1;
        self.add_to(
            Counted {
                metric,
                entity: entity.index() as u32,
                time,
            },
            amount,
        );
    }

    #[inline]
    fn add_to(&mut self, counted: Counted, amount: u64) {
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

    /// Forgets all of it.
    pub fn clear(&mut self) {
        self.sums.clear();
        self.by_counted.clear();
        self.times.clear();
        self.entities.clear();
    }

    /// Hands all of it to the store.
    ///
    /// # Errors
    /// The store's own. What it was given is forgotten, the rest is still here.
    pub fn hand_over<S: Store>(
        &mut self,
        catalog: &Catalog,
        store: &mut S,
    ) -> Result<(), S::Error> {
        if catalog.names_keys() {
            self.hand_over_singly(catalog, store)
        } else {
            self.hand_over_by_ttl(catalog, store)
        }
    }

    /// To a store that takes increments as they come.
    fn hand_over_singly<S: Store>(
        &mut self,
        catalog: &Catalog,
        store: &mut S,
    ) -> Result<(), S::Error> {
        let given = store.incr_each(|incr| {
            for (index, sum) in self.sums.iter().enumerate() {
                let now = self.times[sum.counted.time as usize];
                let entity = self.entities.get(sum.counted.entity);
                for stem in catalog.stems(sum.counted.metric) {
                    let given = catalog.with_current_key(stem, now, entity, |start, end| {
                        incr((start, end), sum.sum, stem.ttl)
                    });
                    given.map_err(|error| (index, error))?;
                }
            }
            Ok(())
        });
        if let Err((index, error)) = given {
            self.by_counted.clear();
            self.sums.drain(..=index);
            return Err(error);
        }
        self.clear();
        Ok(())
    }

    /// To a store of PHP code: what has the same time to live at once.
    fn hand_over_by_ttl<S: Store>(
        &mut self,
        catalog: &Catalog,
        store: &mut S,
    ) -> Result<(), S::Error> {
        let mut out = std::mem::take(&mut self.out);
        let all = catalog.ttls().len();
        let result = (0..all).try_for_each(|index| {
            out.clear();
            out.ttl = catalog.ttls()[index];
            self.write_increments(catalog, index, store, &mut out)?;
            // From here on they count as given, whatever comes of it.
            for sum in &mut self.sums {
                sum.ttls_done = sum.ttls_done.max(index + 1);
            }
            if out.keys.is_empty() {
                Ok(())
            } else {
                store.incr(&out)
            }
        });
        self.out = out;
        if result.is_ok() {
            self.clear();
        } else {
            self.by_counted.clear();
            self.sums.retain(|sum| sum.ttls_done < all);
        }
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

#[cfg(test)]
mod tests {
    use super::super::catalog::{Host, Naming};
    use super::super::entity::Component;
    use super::super::number::Rounding;
    use super::super::spec::{Metric, Sequence, Specs};
    use super::super::store::{KeyParts, Keys};
    use super::*;

    /// Fails when told to; remembers what it was given.
    #[derive(Default)]
    struct Fragile {
        calls_until_failure: usize,
        key_fails: bool,
        given: Vec<(String, u64, u32)>,
    }

    impl Fragile {
        fn call(&mut self) -> Result<(), &'static str> {
            self.calls_until_failure = self.calls_until_failure.wrapping_sub(1);
            if self.calls_until_failure == 0 {
                Err("broken")
            } else {
                Ok(())
            }
        }
    }

    impl Store for Fragile {
        type Error = &'static str;
        fn make_key(
            &mut self,
            parts: &KeyParts<'_>,
            out: &mut Vec<u8>,
        ) -> Result<(), &'static str> {
            out.extend_from_slice(parts.metric);
            out.extend_from_slice(parts.sequence);
            if self.key_fails {
                Err("no key")
            } else {
                Ok(())
            }
        }
        fn incr(&mut self, increments: &Increments) -> Result<(), &'static str> {
            let given = increments
                .iter()
                .map(|(key, sum)| (String::from_utf8(key.to_vec()).unwrap(), sum));
            self.given
                .extend(given.map(|(key, sum)| (key, sum, increments.ttl)));
            self.call()
        }
        fn take_back(&mut self, _: &Increments) -> Result<(), &'static str> {
            unreachable!()
        }
        fn delete(&mut self, _: &Keys) -> Result<(), &'static str> {
            unreachable!()
        }
        fn query(
            &mut self,
            _: &Keys,
            _: &mut dyn FnMut(usize, Number),
        ) -> Result<(), &'static str> {
            unreachable!()
        }
    }

    fn catalog() -> Catalog {
        let sequence = |ttl: u32| Sequence {
            name: ttl.to_string().into_bytes(),
            time_step: Number::Int(1),
            expiry: Number::Int(i64::from(ttl) - 1),
            ttl,
        };
        let metric = |name: &str, ttls: &[u32]| Metric {
            name: name.into(),
            resolution: Number::Int(1),
            sequences: ttls.iter().map(|&ttl| sequence(ttl)).collect(),
        };
        let specs = Specs {
            metrics: vec![
                metric("a", &[10, 20]),
                metric("b", &[20]),
                metric("c", &[10, 30]),
            ],
        };
        let host = Host {
            clock: || Number::ZERO,
            rounding: Rounding::plain(),
        };
        Catalog::new(specs, &[b"p"], Naming::ByStore, host).unwrap()
    }

    fn gathering(catalog: &Catalog) -> Box<Gathering> {
        let mut gathering = catalog.take_gathering();
        for metric in 0..3 {
            gathering.add(metric, EntityId::NONE, Number::ZERO, 1 << metric);
        }
        gathering
    }

    fn sorted(store: &Fragile) -> Vec<(&str, u64, u32)> {
        let mut given: Vec<_> = store
            .given
            .iter()
            .map(|(key, sum, ttl)| (key.as_str(), *sum, *ttl))
            .collect();
        given.sort();
        given
    }

    #[test]
    fn each_sum_is_given_once_however_the_store_fails() {
        let all = [
            ("a10", 1, 10),
            ("a20", 1, 20),
            ("b20", 2, 20),
            ("c10", 4, 10),
            ("c30", 4, 30),
        ];
        let catalog = catalog();
        for calls_until_failure in 1..=3 {
            let mut store = Fragile {
                calls_until_failure,
                ..Fragile::default()
            };
            let mut gathering = gathering(&catalog);
            assert_eq!(gathering.hand_over(&catalog, &mut store), Err("broken"));
            assert_eq!(gathering.hand_over(&catalog, &mut store), Ok(()));
            assert_eq!(sorted(&store), all, "failed at call {calls_until_failure}");
            assert_eq!(gathering.len(), 0);
        }
    }

    #[test]
    fn sums_whose_keys_cannot_be_made_stay() {
        let catalog = catalog();
        let mut store = Fragile {
            key_fails: true,
            ..Fragile::default()
        };
        let mut gathering = gathering(&catalog);
        assert_eq!(gathering.hand_over(&catalog, &mut store), Err("no key"));
        assert!(store.given.is_empty());
        store.key_fails = false;
        assert_eq!(gathering.hand_over(&catalog, &mut store), Ok(()));
        assert_eq!(store.given.len(), 5);
    }

    #[test]
    fn what_comes_after_a_failure_is_not_added_to_what_was_given_in_part() {
        let catalog = catalog();
        for more in [0, 20] {
            let mut store = Fragile {
                calls_until_failure: 2,
                ..Fragile::default()
            };
            let mut gathering = gathering(&catalog);
            let others: Vec<EntityId> = (0..more)
                .map(|i| gathering.entities.known(false, &[Component::Int(i)], 0))
                .collect();
            let add_others = |gathering: &mut Gathering| {
                others
                    .iter()
                    .for_each(|&other| gathering.add(1, other, Number::ZERO, 1));
            };
            add_others(&mut gathering);
            assert_eq!(gathering.hand_over(&catalog, &mut store), Err("broken"));
            add_others(&mut gathering);
            gathering.add(2, EntityId::NONE, Number::ZERO, 100);
            gathering.add(2, EntityId::NONE, Number::ZERO, 100);
            assert_eq!(gathering.hand_over(&catalog, &mut store), Ok(()));
            let sum = |key: &str| {
                store
                    .given
                    .iter()
                    .filter(|given| given.0 == key)
                    .map(|given| given.1)
                    .sum::<u64>()
            };
            assert_eq!(
                (sum("a10"), sum("a20"), sum("c10"), sum("c30")),
                (1, 1, 204, 204)
            );
            assert_eq!(sum("b20"), 2 + 2 * more as u64);
        }
    }

    #[test]
    fn sums_are_found_whether_few_or_many() {
        let catalog = catalog();
        let mut gathering = catalog.take_gathering();
        let entities: Vec<EntityId> = (0..100)
            .map(|i| {
                gathering
                    .entities
                    .known(i % 2 == 0, &[Component::Int(i)], 0)
            })
            .collect();
        for round in 0..5 {
            for &entity in &entities {
                gathering.add(1, entity, Number::Int(round / 2), 3);
            }
        }
        assert_eq!(gathering.len(), 300);
        gathering.add(1, entities[0], Number::Int(2), u64::MAX);
        let most = gathering.sums.iter().map(|sum| sum.sum).max();
        assert_eq!(most, Some(i64::MAX as u64));
    }
}
