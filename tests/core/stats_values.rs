//! Writers and readers against values known beforehand: MediaWiki's own test values, and what was asked for.

use std::cell::Cell;
use std::rc::Rc;

use wrstats::client::config::LongKeys;
use wrstats::client::input::{Input, InputKey};
use wrstats::stats::bucket::TimeRange;
use wrstats::stats::catalog::{Catalog, Host, Naming};
use wrstats::stats::entity::{Component, EntityId};
use wrstats::stats::error::{Error, Invalid};
use wrstats::stats::key::KeyStyle;
use wrstats::stats::number::Number::{self, Float, Int};
use wrstats::stats::number::Rounding;
use wrstats::stats::reader::Reader;
use wrstats::stats::spec::Specs;
use wrstats::stats::store::{Increments, KeyParts, Keys, MapStore, Store};
use wrstats::stats::writer::Writer;

thread_local! {
    static CLOCK: Cell<f64> = const { Cell::new(0.0) };
}

fn style() -> KeyStyle {
    KeyStyle {
        keyspace: b"local"[..].into(),
        long_keys: LongKeys::MediaWiki145,
        room: 250,
    }
}

/// Metric name, resolution, and time step and expiry of its sequences.
type Spec<'a> = (&'a str, Number, &'a [(Number, Number)]);

fn catalog(specs: &[Spec<'_>]) -> Rc<Catalog> {
    let input = |number| match number {
        Int(i) => Input::Int(i),
        Float(f) => Input::Float(f),
    };
    let map = |entries: Vec<(&str, Input)>| {
        Input::Array(
            entries
                .into_iter()
                .map(|(key, value)| (InputKey::Bytes(key.into()), value))
                .collect(),
        )
    };
    let specs = specs.iter().map(|(name, resolution, sequences)| {
        let sequences = sequences.iter().enumerate().map(|(index, (step, expiry))| {
            (
                InputKey::Int(index as i64),
                map(vec![("timeStep", input(*step)), ("expiry", input(*expiry))]),
            )
        });
        (
            *name,
            map(vec![
                ("resolution", input(*resolution)),
                ("sequences", Input::Array(sequences.collect())),
            ]),
        )
    });
    let specs = Specs::parse(&map(specs.collect())).unwrap();
    let host = Host {
        clock: || Float(CLOCK.get()),
        rounding: Rounding::plain(),
    };
    Rc::new(Catalog::new(specs, &[b"prefix"], Naming::Native(style()), host).unwrap())
}

fn one(step: Number, expiry: Number) -> Rc<Catalog> {
    catalog(&[("test", Int(1), &[(step, expiry)])])
}

fn counter(store: &MapStore, key: &str) -> Option<(u64, u32)> {
    store.counters.get(key.as_bytes()).copied()
}

fn put(store: &mut MapStore, key: &str, value: u64) {
    store.counters.insert(key.into(), (value, 60));
}

fn total_of(
    store: &mut MapStore,
    catalog: &Rc<Catalog>,
    now: Number,
    start: Number,
    end: Number,
) -> Number {
    let mut reader = Reader::new(catalog.clone(), Some(now)).unwrap();
    let range = TimeRange::new(start, end).unwrap();
    reader
        .get_rate("test".into(), EntityId::NONE, range)
        .unwrap()
        .total(&mut reader, store)
        .unwrap()
}

#[test]
fn a_writer_counts_into_the_bucket_of_its_time() {
    let (catalog, mut store) = (one(Int(100), Int(1000)), MapStore::new(style()));
    let mut writer = Writer::new(catalog, Some(Int(1000))).unwrap();
    writer.incr("test".into(), EntityId::NONE, Int(1)).unwrap();
    assert!(store.counters.is_empty());
    writer.flush(&mut store).unwrap();
    assert_eq!(counter(&store, "local:prefix:test::10"), Some((1, 1100)));
    writer.flush(&mut store).unwrap();
    assert_eq!(
        counter(&store, "local:prefix:test::10"),
        Some((1, 1100)),
        "flushed twice, counted once"
    );
}

#[test]
fn values_are_kept_in_steps_of_the_resolution() {
    let catalog = catalog(&[("decimal", Float(0.1), &[(Int(200), Int(2000))])]);
    let mut store = MapStore::new(style());
    let mut writer = Writer::new(catalog.clone(), Some(Int(1000))).unwrap();
    writer
        .incr("decimal".into(), EntityId::NONE, Float(1.33))
        .unwrap();
    writer.flush(&mut store).unwrap();
    assert_eq!(counter(&store, "local:prefix:decimal::5"), Some((13, 2200)));

    // Rounded one by one: 2.7 twice is 5.4, 0.04 ten times is 0.
    for (value, times, want) in [(2.7, 2, 5.4), (0.04, 10, 0.0)] {
        store.counters.clear();
        for _ in 0..times {
            writer
                .incr("decimal".into(), EntityId::NONE, Float(value))
                .unwrap();
        }
        writer.flush(&mut store).unwrap();
        let mut reader = Reader::new(catalog.clone(), Some(Int(1200))).unwrap();
        let range = reader.latest(Int(200)).unwrap();
        let mut rate = reader
            .get_rate("decimal".into(), EntityId::NONE, range)
            .unwrap();
        let Float(total) = rate.total(&mut reader, &mut store).unwrap() else {
            panic!("an int")
        };
        assert!((total - want).abs() < 1e-9, "{total}, want {want}");
    }
}

#[test]
fn ranges_that_cut_buckets_get_a_share_of_them() {
    let catalog = catalog(&[("test", Float(0.1), &[(Int(1), Int(2000))])]);
    let mut store = MapStore::new(style());
    for (now, value) in [(1000, 1), (1001, 2)] {
        let mut writer = Writer::new(catalog.clone(), Some(Int(now))).unwrap();
        writer
            .incr("test".into(), EntityId::NONE, Int(value))
            .unwrap();
        writer.flush(&mut store).unwrap();
    }
    for (start, end, want) in [(1000.1, 1001.1, 1.1), (1000.9, 1001.9, 1.9)] {
        let Float(total) = total_of(&mut store, &catalog, Int(2000), Float(start), Float(end))
        else {
            panic!()
        };
        assert!(
            (total - want).abs() < 1e-9,
            "{start} to {end}: {total}, want {want}"
        );
    }
}

#[test]
fn edge_buckets_count_for_their_overlap_and_the_current_one_up_to_now() {
    let (catalog, now) = (one(Int(60), Int(3600)), 1_000_000_000);
    let mut store = MapStore::new(style());
    put(&mut store, "local:prefix:test::16666665", 10);
    put(&mut store, "local:prefix:test::16666666", 6);
    let mut reader = Reader::new(catalog.clone(), Some(Int(now))).unwrap();
    let range = reader.latest(Int(60)).unwrap();
    let mut rate = reader
        .get_rate("test".into(), EntityId::NONE, range)
        .unwrap();
    assert_eq!(
        rate.total(&mut reader, &mut store),
        Ok(Int(9)),
        "9.33 rounded"
    );
    assert_eq!(rate.per(1, &mut reader, &mut store), Ok(9.0 / 60.0));
    assert_eq!(rate.per(3600, &mut reader, &mut store), Ok(540.0));

    store.counters.clear();
    put(&mut store, "local:prefix:test::16666666", 8);
    assert_eq!(
        total_of(&mut store, &catalog, Int(now), Int(now - 20), Int(now)),
        Int(4)
    );
}

#[test]
fn the_first_sequence_that_reaches_back_answers() {
    let catalog = catalog(&[(
        "test",
        Int(1),
        &[(Int(10), Int(100)), (Int(100), Int(1000))],
    )]);
    let mut store = MapStore::new(style());
    put(&mut store, "local:prefix:test::99", 1);
    put(&mut store, "local:prefix:test:s1:9", 20);
    for (start, want) in [(990, 1), (900, 1), (899, 20), (-5000, 20)] {
        assert_eq!(
            total_of(&mut store, &catalog, Int(1000), Int(start), Int(1000)),
            Int(want),
            "from {start}"
        );
    }
}

#[test]
fn a_clock_that_is_off_gives_finite_answers_from_0_on() {
    let catalog = one(Int(10), Int(100));
    let mut store = MapStore::new(style());
    for bucket in 95..=105 {
        put(&mut store, &format!("local:prefix:test::{bucket}"), 7);
    }
    for now in [
        Int(1000),
        Float(1000.0),
        Float(999.9999999),
        Float(1000.0000001),
        Int(950),
        Int(0),
        Int(5000),
    ] {
        for (start, end) in [
            (950, 1000),
            (1000, 1000),
            (1000, 1001),
            (990, 1049),
            (1001, 1002),
            (2000, 2001),
        ] {
            let mut reader = Reader::new(catalog.clone(), Some(now)).unwrap();
            let range = TimeRange::new(Int(start), Int(end)).unwrap();
            let mut rate = reader
                .get_rate("test".into(), EntityId::NONE, range)
                .unwrap();
            let total = rate.total(&mut reader, &mut store).unwrap();
            let per_second = rate.per(1, &mut reader, &mut store).unwrap();
            assert!(
                matches!(total, Int(0..)),
                "{total:?} for {start} to {end} at {now:?}"
            );
            assert!(
                per_second.is_finite() && per_second >= 0.0,
                "{per_second} for {start} to {end} at {now:?}"
            );
        }
    }
}

#[test]
fn long_lived_writers_take_the_time_anew_after_each_flush() {
    let (catalog, mut store) = (one(Int(1), Int(60)), MapStore::new(style()));
    let mut writer = Writer::new(catalog, None).unwrap();
    let mut count = |now: f64, flush: bool, writer: &mut Writer| {
        CLOCK.set(now);
        writer.incr("test".into(), EntityId::NONE, Int(1)).unwrap();
        if flush {
            writer.flush(&mut store).unwrap();
        }
        let mut counters: Vec<String> = store
            .counters
            .iter()
            .map(|(key, value)| format!("{}={}", key.escape_ascii(), value.0))
            .collect();
        counters.sort();
        counters.join(" ").replace("local:prefix:test::", "")
    };
    count(1000.5, false, &mut writer);
    assert_eq!(
        count(1003.5, true, &mut writer),
        "1000=2",
        "one flush, one time"
    );
    assert_eq!(count(1006.5, true, &mut writer), "1000=2 1006=1");
    writer.set_current_time(Int(500)).unwrap();
    count(1007.5, true, &mut writer);
    assert_eq!(
        count(1008.5, true, &mut writer),
        "1000=2 1006=1 500=2",
        "a time that was set stays"
    );
    writer.reset_current_time();
    assert_eq!(
        count(1009.5, true, &mut writer),
        "1000=2 1006=1 1009=1 500=2"
    );
    // Several times within one flush: each increment has its own.
    writer.set_current_time(Int(7)).unwrap();
    count(0.0, false, &mut writer);
    writer.set_current_time(Float(8.5)).unwrap();
    assert_eq!(
        count(0.0, true, &mut writer),
        "1000=2 1006=1 1009=1 500=2 7=1 8=1"
    );
}

#[test]
fn reset_deletes_what_could_be_there_and_discards_what_was_gathered() {
    let (catalog, mut store) = (one(Int(100), Int(1000)), MapStore::new(style()));
    let mut writer = Writer::new(catalog, Some(Int(5000))).unwrap();
    let names = ["", ":a", ":b"];
    for name in names {
        for bucket in 37..=52 {
            put(&mut store, &format!("local:prefix:test::{bucket}{name}"), 1);
        }
    }
    writer.incr("test".into(), EntityId::NONE, Int(1)).unwrap();
    writer
        .reset_all(
            &mut store,
            &[(false, &[Component::Bytes(b"a")]), (false, &[])],
        )
        .unwrap();
    writer.flush(&mut store).unwrap();
    let left = |name: &str| {
        (0..99)
            .filter(|b| counter(&store, &format!("local:prefix:test::{b}{name}")).is_some())
            .collect::<Vec<_>>()
    };
    assert_eq!((left(""), left(":a")), (vec![37, 52], vec![37, 52]));
    assert_eq!(left(":b").len(), 16);
}

#[test]
fn bad_values_are_refused_and_count_nothing() {
    let catalog = catalog(&[("test", Float(1e-3), &[(Int(1), Int(60))])]);
    let mut writer = Writer::new(catalog.clone(), Some(Int(1000))).unwrap();
    for value in [
        Int(-1),
        Float(-0.1),
        Float(f64::NAN),
        Float(f64::INFINITY),
        Float(1e17),
        Int(i64::MIN),
    ] {
        let refused = writer.incr("test".into(), EntityId::NONE, value);
        assert_eq!(refused, Err(Invalid::Value(value.to_string())));
    }
    assert_eq!(
        writer.incr("tests".into(), EntityId::NONE, Int(1)),
        Err(Invalid::UnknownMetric("tests".into()))
    );
    assert!(writer.set_current_time(Float(f64::NAN)).is_err());
    assert!(Writer::new(catalog.clone(), Some(Float(f64::INFINITY))).is_err());
    assert_eq!(writer.gathered(), 0);
    let mut reader = Reader::new(catalog, Some(Int(1000))).unwrap();
    assert!(reader.latest(Int(-1)).is_err());
    let range = TimeRange::new(Int(0), Int(10_000_000)).unwrap();
    let asked = reader
        .get_rate("test".into(), EntityId::NONE, range)
        .unwrap_err();
    assert_eq!(asked, Invalid::TooManyBuckets(10_000_001, 1 << 20));
}

#[test]
fn an_entity_of_before_the_flush_is_refused() {
    let (catalog, mut store) = (one(Int(1), Int(60)), MapStore::new(style()));
    let mut writer = Writer::new(catalog, Some(Int(1000))).unwrap();
    let entity = writer.entity(true, &[Component::Int(7)], 64);
    assert_eq!(writer.remembered(64), Some(entity));
    writer.incr("test".into(), entity, Int(1)).unwrap();
    writer.flush(&mut store).unwrap();
    assert_eq!(counter(&store, "global:prefix:test::1000:7"), Some((1, 61)));
    assert_eq!(writer.remembered(64), None);
    assert_eq!(
        writer.incr("test".into(), entity, Int(1)),
        Err(Invalid::StaleEntity)
    );
}

/// Answers queries with an error until told otherwise, and counts them.
struct Failing {
    map: MapStore,
    fails: bool,
    queries: usize,
}

impl Store for Failing {
    type Error = &'static str;
    fn make_key(&mut self, _: &KeyParts<'_>, _: &mut Vec<u8>) -> Result<(), &'static str> {
        unreachable!()
    }
    fn incr(&mut self, _: &Increments) -> Result<(), &'static str> {
        unreachable!()
    }
    fn take_back(&mut self, _: &Increments) -> Result<(), &'static str> {
        unreachable!()
    }
    fn delete(&mut self, _: &Keys) -> Result<(), &'static str> {
        unreachable!()
    }
    fn query(
        &mut self,
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), &'static str> {
        self.queries += 1;
        if self.fails {
            return Err("no answer");
        }
        self.map.query(keys, found).map_err(|never| match never {})
    }
}

#[test]
fn one_query_answers_all_rates_and_a_failed_one_is_tried_again() {
    let catalog = one(Int(10), Int(100));
    let mut store = Failing {
        map: MapStore::new(style()),
        fails: true,
        queries: 0,
    };
    for name in ["", ":a", ":b"] {
        put(&mut store.map, &format!("local:prefix:test::99{name}"), 5);
    }
    let mut reader = Reader::new(catalog, Some(Int(1000))).unwrap();
    let range = reader.latest(Int(50)).unwrap();
    let mut rates: Vec<_> = ["", "a", "b"]
        .into_iter()
        .map(|name| {
            let component = [Component::Bytes(name.as_bytes())];
            let entity = reader.entity(false, &component[..usize::from(!name.is_empty())], 0);
            reader.get_rate("test".into(), entity, range).unwrap()
        })
        .collect();
    assert_eq!(
        rates[1].total(&mut reader, &mut store),
        Err(Error::Store("no answer"))
    );
    store.fails = false;
    for rate in &mut rates {
        assert_eq!(rate.total(&mut reader, &mut store), Ok(Int(5)));
    }
    assert_eq!(store.queries, 2);
    // What was read stays, whatever the store holds by now; also for rates asked for later.
    put(&mut store.map, "local:prefix:test::99", 500);
    let mut later = reader
        .get_rate("test".into(), EntityId::NONE, range)
        .unwrap();
    assert_eq!(later.total(&mut reader, &mut store), Ok(Int(5)));
}
