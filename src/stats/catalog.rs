//! Specs under a prefix, with the beginnings of their keys at hand. One catalog serves all writers and readers made
//! from the same specs, so that making one of these costs next to nothing.

use super::bucket::bucket_of;
use super::entity::Entities;
use super::error::{Invalid, shown};
use super::gathering::Gathering;
use super::key::{KeyStyle, LONGEST_PLAIN, write_component};
use super::number::{Number, Rounding};
use super::spec::{Metric, Specs};
use super::stem::Stem;
use super::store::{KeyParts, Store};
use crate::protocol::key::Head;
use std::cell::{Cell, RefCell};

/// Most gatherings kept for the next writer.
const MAX_SPARE: usize = 4;

/// Who makes the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// This room, in this style.
    Native(KeyStyle),
    /// The store, through [`Store::make_key`].
    ByStore,
}

/// What the program around this room provides.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The clock: UNIX seconds, as a finite number.
    pub clock: fn() -> Number,
    /// How to round.
    pub rounding: Rounding,
}

/// A metric's name as a caller gives it.
#[derive(Clone, Copy, Debug)]
pub struct MetricName<'a> {
    /// The name.
    pub bytes: &'a [u8],
    /// Where to look first: any number that tends to be the same for the same name, such as its address.
    pub hint: usize,
    /// Whether the hint means this name alone as long as the catalog is there.
    pub is_sure: bool,
}

impl<'a> From<&'a [u8]> for MetricName<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        MetricName {
            bytes,
            hint: bytes.as_ptr() as usize,
            is_sure: false,
        }
    }
}

impl<'a> From<&'a str> for MetricName<'a> {
    fn from(name: &'a str) -> Self {
        name.as_bytes().into()
    }
}

/// A metric last found under a hint.
#[derive(Clone, Copy, Debug)]
struct Guess {
    index: u32,
    /// The hint, if it was sure; else 0.
    sure: usize,
}

impl Guess {
    const NONE: Guess = Guess { index: 0, sure: 0 };
}

/// Specs under a prefix.
#[derive(Debug)]
pub struct Catalog {
    specs: Specs,
    prefix: Vec<Box<[u8]>>,
    naming: Naming,
    host: Host,
    /// Per metric, one per sequence; without any when the store makes the keys.
    stems: Vec<Vec<Stem>>,
    /// The distinct times to live of all sequences.
    ttls: Vec<u32>,
    may_have_long_keys: bool,
    guesses: [Cell<Guess>; 64],
    // Boxed as writers hold them, so that handing one over moves a pointer.
    #[allow(clippy::vec_box)]
    spare: RefCell<Vec<Box<Gathering>>>,
}

impl Catalog {
    /// Puts specs under a prefix of one or more components.
    ///
    /// # Errors
    /// When there is no prefix component.
    pub fn new(
        specs: Specs,
        prefix: &[&[u8]],
        naming: Naming,
        host: Host,
    ) -> Result<Catalog, Invalid> {
        if prefix.is_empty() {
            return Err(Invalid::NoPrefix);
        }
        let stems = match &naming {
            Naming::ByStore => Vec::new(),
            Naming::Native(style) => {
                let prefix = [false, true].map(|global| {
                    let mut bytes = style.keyspace(global).to_vec();
                    for component in prefix {
                        write_component(component, &mut bytes);
                    }
                    bytes
                });
                let stem = |metric, sequence| Stem::new(&prefix, metric, sequence);
                specs
                    .metrics
                    .iter()
                    .map(|metric| {
                        metric
                            .sequences
                            .iter()
                            .map(|sequence| stem(metric, sequence))
                            .collect()
                    })
                    .collect()
            }
        };
        let mut ttls: Vec<u32> = Vec::new();
        for sequence in specs.metrics.iter().flat_map(|metric| &metric.sequences) {
            if !ttls.contains(&sequence.ttl) {
                ttls.push(sequence.ttl);
            }
        }
        Ok(Catalog {
            may_have_long_keys: matches!(&naming, Naming::Native(style) if !style.fits_all()),
            specs,
            prefix: prefix.iter().map(|&component| component.into()).collect(),
            naming,
            host,
            stems,
            ttls,
            guesses: [const { Cell::new(Guess::NONE) }; 64],
            spare: RefCell::default(),
        })
    }

    /// The specs, in the order given.
    pub fn specs(&self) -> &Specs {
        &self.specs
    }

    /// What the program around this room provides.
    pub fn host(&self) -> Host {
        self.host
    }

    pub(super) fn ttls(&self) -> &[u32] {
        &self.ttls
    }

    pub(super) fn metric(&self, index: u32) -> &Metric {
        &self.specs.metrics[index as usize]
    }

    /// The index of the metric of that name.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub(super) fn find(&self, name: MetricName<'_>) -> Result<u32, Invalid> {
        // Addresses differ in their middle bits.
        let mixed = (name.hint as u64 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &self.guesses[(mixed >> 58) as usize];
        let Guess { index, sure } = place.get();
        if name.is_sure && sure == name.hint && sure != 0 {
            return Ok(index);
        }
        match self.specs.metrics.get(index as usize) {
            Some(metric) if !name.is_sure && metric.name == name.bytes => Ok(index),
            _ => self.search(name, place),
        }
    }

    #[cold]
    fn search(&self, name: MetricName<'_>, place: &Cell<Guess>) -> Result<u32, Invalid> {
        match self
            .specs
            .metrics
            .iter()
            .position(|metric| metric.name == name.bytes)
        {
            Some(index) => {
                let index = index as u32;
                let sure = if name.is_sure { name.hint } else { 0 };
                place.set(Guess { index, sure });
                Ok(index)
            }
            None => Err(Invalid::UnknownMetric(shown(name.bytes))),
        }
    }

    /// For the entities of one writer, reader or batch.
    pub(super) fn new_entities(&self) -> Entities {
        Entities::new(self.naming == Naming::ByStore)
    }

    /// Appends the key of a bucket to `out`.
    ///
    /// # Errors
    /// The store's own, where it makes the keys.
    pub(super) fn write_key<S: Store>(
        &self,
        store: &mut S,
        (metric, sequence): (u32, usize),
        bucket: i64,
        (entities, entity): (&Entities, u32),
        out: &mut Vec<u8>,
    ) -> Result<(), S::Error> {
        let Naming::Native(style) = &self.naming else {
            let metric = self.metric(metric);
            return store.make_key(
                &KeyParts {
                    prefix: &self.prefix,
                    metric: &metric.name,
                    sequence: &metric.sequences[sequence].name,
                    bucket,
                    entity: entities.view(entity),
                },
                out,
            );
        };
        let start = out.len();
        let (global, tail) = entities.get(entity);
        self.stems[metric as usize][sequence].write(global, bucket, out);
        out.extend_from_slice(tail);
        style.shorten(style.keyspace(global).len(), out, start);
        Ok(())
    }

    /// What the keys of a metric's sequences begin with, where they are made in this room.
    #[inline]
    pub(super) fn stems(&self, metric: u32) -> &[Stem] {
        &self.stems[metric as usize]
    }

    /// Hands the key of the bucket that `now` is in to `then`, in two pieces. Only where the keys are made in this room,
    /// to which `then` must not come back. Cheapest while the bucket stays the same.
    #[inline(always)]
    pub(super) fn with_current_key<R>(
        &self,
        stem: &Stem,
        now: Number,
        (global, tail): (bool, &[u8]),
        then: impl FnOnce(Head<'_>, &[u8]) -> R,
    ) -> R {
        stem.with_current(global, now, |head| {
            if head.len() + tail.len() <= LONGEST_PLAIN {
                return then(head, tail);
            }
            let key = self.shortened(global, [head.bytes(), tail].concat());
            then(Head::EMPTY, &key)
        })
    }

    #[cold]
    fn shortened(&self, global: bool, mut key: Vec<u8>) -> Vec<u8> {
        if let Naming::Native(style) = &self.naming {
            style.shorten(style.keyspace(global).len(), &mut key, 0);
        }
        key
    }

    /// Whether the keys are made in this room.
    pub(super) fn names_keys(&self) -> bool {
        matches!(self.naming, Naming::Native(_))
    }

    /// Appends the key of the bucket that `now` is in to `out`. Cheapest while that stays the same.
    ///
    /// # Errors
    /// The store's own, where it makes the keys.
    #[inline]
    pub(super) fn write_current_key<S: Store>(
        &self,
        store: &mut S,
        (metric, sequence): (u32, usize),
        now: Number,
        (entities, entity): (&Entities, u32),
        out: &mut Vec<u8>,
    ) -> Result<(), S::Error> {
        if !self.names_keys() {
            let bucket = bucket_of(now, self.metric(metric).sequences[sequence].time_step);
            return self.write_key(store, (metric, sequence), bucket, (entities, entity), out);
        }
        let stem = &self.stems(metric)[sequence];
        self.with_current_key(stem, now, entities.get(entity), |head, tail| {
            out.extend_from_slice(head.bytes());
            out.extend_from_slice(tail);
        });
        Ok(())
    }

    /// Whether some key may be too long, which [`Catalog::check_key`] finds out.
    #[inline]
    pub(super) fn may_have_long_keys(&self) -> bool {
        self.may_have_long_keys
    }

    /// # Errors
    /// The key of this bucket is too long.
    #[cold]
    pub(super) fn check_key(
        &self,
        (metric, sequence): (u32, usize),
        bucket: i64,
        (entities, entity): (&Entities, u32),
    ) -> Result<(), Invalid> {
        let Naming::Native(style) = &self.naming else {
            return Ok(());
        };
        let (global, tail) = entities.get(entity);
        let mut key = Vec::new();
        self.stems[metric as usize][sequence].write(global, bucket, &mut key);
        key.extend_from_slice(tail);
        style.shorten(style.keyspace(global).len(), &mut key, 0);
        if key.len() > style.room {
            return Err(Invalid::LongKey(shown(&key), style.room));
        }
        Ok(())
    }

    /// An empty gathering for a writer, used before where there is one.
    pub(super) fn take_gathering(&self) -> Box<Gathering> {
        self.spare
            .borrow_mut()
            .pop()
            .unwrap_or_else(|| Box::new(Gathering::new(self.new_entities())))
    }

    /// Takes an empty gathering back.
    pub(super) fn give_back(&self, gathering: Box<Gathering>) {
        let mut spare = self.spare.borrow_mut();
        if spare.len() < MAX_SPARE && gathering.is_small() {
            spare.push(gathering);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entity::Component;
    use super::super::spec::Sequence;
    use super::super::store::MapStore;
    use super::*;
    use crate::client::config::LongKeys;

    fn catalog(steps: &[Number]) -> (Catalog, MapStore) {
        let sequence = |(i, &time_step): (usize, &Number)| Sequence {
            name: i.to_string().into_bytes(),
            time_step,
            expiry: Number::Int(10),
            ttl: 20,
        };
        let metric = |name: &[u8]| Metric {
            name: name.to_vec(),
            resolution: Number::Int(1),
            sequences: steps.iter().enumerate().map(sequence).collect(),
        };
        let style = KeyStyle {
            keyspace: b"local"[..].into(),
            long_keys: LongKeys::MediaWiki145,
            room: 250,
        };
        let specs = Specs {
            metrics: vec![metric(b"a:b"), metric(b"")],
        };
        let host = Host {
            clock: || Number::Int(0),
            rounding: Rounding::plain(),
        };
        let catalog =
            Catalog::new(specs, &[b"WR Stats"], Naming::Native(style.clone()), host).unwrap();
        (catalog, MapStore::new(style))
    }

    fn current(
        catalog: &Catalog,
        store: &mut MapStore,
        which: (u32, usize),
        now: Number,
    ) -> String {
        let (mut out, entities) = (Vec::new(), catalog.new_entities());
        catalog
            .write_current_key(store, which, now, (&entities, 0), &mut out)
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn kept_heads_give_the_bucket_that_dividing_gives() {
        let steps = [0.1, 0.3, 1.0 / 3.0, 7.0, 1e-6, 7200.0].map(Number::Float);
        let steps: Vec<Number> = steps
            .into_iter()
            .chain([Number::Int(1), Number::Int(600)])
            .collect();
        let (catalog, mut store) = catalog(&steps);
        let rounds = if cfg!(miri) { 100 } else { 20_000 };
        let mut random = fastrand::Rng::with_seed(7);
        for (sequence, &step) in steps.iter().enumerate() {
            let mut now = 1_700_000_000.0;
            for _ in 0..rounds {
                // On, just before and just after edges, within buckets, forth and back, and below 0.
                now = match random.u8(0..8) {
                    0 => bucket_of(Number::Float(now), step) as f64 * step.as_f64(),
                    1 => f64::next_up(now),
                    2 => f64::next_down(now),
                    3 => now + step.as_f64(),
                    4 => now - step.as_f64() * 0.4,
                    5 => (random.f64() - 0.5) * step.as_f64() * 4.0,
                    _ => 1_700_000_000.0 + random.f64() * step.as_f64() * 3.0,
                };
                let time = if random.bool() {
                    Number::Float(now)
                } else {
                    Number::Int(now as i64)
                };
                let want = format!("local:WR_Stats:a%3Ab:{sequence}:{}", bucket_of(time, step));
                assert_eq!(
                    current(&catalog, &mut store, (0, sequence), time),
                    want,
                    "{time:?} by {step:?}"
                );
            }
        }
    }

    #[test]
    fn native_keys_and_those_of_the_style_are_the_same() {
        let (catalog, store) = catalog(&[Number::Int(10)]);
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..if cfg!(miri) { 20 } else { 500 } {
            let components: Vec<Vec<u8>> = (0..random.usize(0..4))
                .map(|_| (0..random.usize(0..80)).map(|_| random.u8(..)).collect())
                .collect();
            let components: Vec<Component<'_>> =
                components.iter().map(|c| Component::Bytes(c)).collect();
            let (global, bucket, metric) = (random.bool(), random.i64(..), random.u32(0..2));
            let (mut native, mut packed) = (Entities::new(false), Entities::new(true));
            let id = native.known(global, &components, 0).index() as u32;
            packed.known(global, &components, 0);
            let mut out = Vec::new();
            catalog
                .write_key(
                    &mut store.clone(),
                    (metric, 0),
                    bucket,
                    (&native, id),
                    &mut out,
                )
                .unwrap();
            let parts = KeyParts {
                prefix: &catalog.prefix,
                metric: &catalog.metric(metric).name,
                sequence: b"0",
                bucket,
                entity: packed.view(id),
            };
            let mut want = Vec::new();
            store.style.write_key(&parts, &mut want);
            assert_eq!(out, want);
        }
    }

    #[test]
    fn metrics_are_found_by_bytes_whatever_an_unsure_hint() {
        let (catalog, _) = catalog(&[Number::Int(10)]);
        let name = |bytes, hint, is_sure| MetricName {
            bytes,
            hint,
            is_sure,
        };
        for hint in [0, 8, 8, 16, usize::MAX] {
            assert_eq!(catalog.find(name(b"", hint, false)), Ok(1));
            assert_eq!(catalog.find(name(b"a:b", hint, false)), Ok(0));
            let unknown = catalog.find(name(b"a:", hint, false)).unwrap_err();
            assert_eq!(unknown, Invalid::UnknownMetric("a:".into()));
        }
        // Sure ones that share a place, with unsure ones between.
        let shared = |hint: usize| (hint as u64 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        let other = (16..).find(|&hint| shared(hint) == shared(8)).unwrap();
        for _ in 0..3 {
            assert_eq!(catalog.find(name(b"a:b", 8, true)), Ok(0));
            assert_eq!(catalog.find(name(b"a:b", 8, true)), Ok(0));
            assert_eq!(catalog.find(name(b"", other, true)), Ok(1));
            assert_eq!(catalog.find(name(b"", 8, false)), Ok(1));
            assert_eq!(catalog.find(name(b"a:b", other, false)), Ok(0));
            let unknown = catalog.find(name(b"a:", other + 8, true)).unwrap_err();
            assert_eq!(unknown, Invalid::UnknownMetric("a:".into()));
        }
        // No hint is never sure.
        assert_eq!(catalog.find(name(b"", 0, true)), Ok(1));
        assert_eq!(catalog.find(name(b"a:b", 0, true)), Ok(0));
    }

    #[test]
    fn a_prefix_is_needed() {
        let host = Host {
            clock: || Number::Int(0),
            rounding: Rounding::plain(),
        };
        let made = Catalog::new(Specs::default(), &[], Naming::ByStore, host);
        assert_eq!(made.unwrap_err(), Invalid::NoPrefix);
    }
}
