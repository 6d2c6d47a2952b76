//! Rate limits against values known beforehand, on a set clock: totals, waits, batches.

use std::rc::Rc;

use fastrand::Rng;
use wrstats::client::config::LongKeys;
use wrstats::client::input::{Input, InputKey};
use wrstats::stats::batch::Batch;
use wrstats::stats::catalog::{Host, Naming};
use wrstats::stats::condition::Conditions;
use wrstats::stats::entity::Component;
use wrstats::stats::error::Invalid;
use wrstats::stats::key::KeyStyle;
use wrstats::stats::limit_result::{BatchResult, LimitResult};
use wrstats::stats::limiter::{Intent, Limiter};
use wrstats::stats::number::Number::{self, Float, Int};
use wrstats::stats::number::Rounding;
use wrstats::stats::store::MapStore;

/// A limiter on a map, for conditions named "a", "b" …
pub struct Fixture {
    pub limiter: Limiter,
    pub store: MapStore,
}

fn map(entries: Vec<(&str, Input)>) -> Input {
    Input::Array(
        entries
            .into_iter()
            .map(|(key, value)| (InputKey::Bytes(key.into()), value))
            .collect(),
    )
}

fn input(number: Number) -> Input {
    match number {
        Int(i) => Input::Int(i),
        Float(f) => Input::Float(f),
    }
}

impl Fixture {
    /// `limits`: limit and window of each condition.
    pub fn new(
        limits: &[(i64, Number)],
        buckets: i64,
        strict: bool,
        clock: fn() -> Number,
    ) -> Fixture {
        let names = ["a", "b", "c"];
        let conditions = limits.iter().zip(names).map(|(&(limit, window), name)| {
            (
                name,
                map(vec![
                    ("limit", Input::Int(limit)),
                    ("window", input(window)),
                ]),
            )
        });
        let options = map(vec![
            ("bucketCount", Input::Int(buckets)),
            ("strict", Input::Bool(strict)),
        ]);
        let style = KeyStyle {
            keyspace: b"local"[..].into(),
            long_keys: LongKeys::MediaWiki145,
            room: 250,
        };
        let host = Host {
            clock,
            rounding: Rounding::plain(),
        };
        let (conditions, naming) = (map(conditions.collect()), Naming::Native(style.clone()));
        let conditions = Conditions::parse(&conditions, &options, &[b"p"], naming, host).unwrap();
        Fixture {
            limiter: Limiter::new(Rc::new(conditions), None).unwrap(),
            store: MapStore::new(style),
        }
    }

    fn at(limit: i64, window: Number, buckets: i64, strict: bool) -> Fixture {
        Fixture::new(&[(limit, window)], buckets, strict, || {
            panic!("the time is set")
        })
    }

    fn batch(&self, amounts: &[(&str, i64)]) -> Batch {
        let mut batch = Batch::new(self.limiter.conditions());
        for &(name, amount) in amounts {
            batch
                .direct(
                    self.limiter.conditions(),
                    name.as_bytes(),
                    false,
                    &[],
                    amount,
                )
                .unwrap();
        }
        batch
    }

    fn run(&mut self, now: Number, amounts: &[(&str, i64)], intent: Intent) -> BatchResult {
        self.limiter.set_current_time(now).unwrap();
        let batch = self.batch(amounts);
        self.limiter.run(&mut self.store, &batch, intent).unwrap()
    }

    fn take(&mut self, now: impl Into<Number>, amount: i64) -> LimitResult {
        self.run(now.into(), &[("a", amount)], Intent::TryIncr)
            .results
            .remove(0)
    }

    fn look(&mut self, now: impl Into<Number>, amount: i64) -> LimitResult {
        self.run(now.into(), &[("a", amount)], Intent::Peek)
            .results
            .remove(0)
    }

    fn count(&mut self, now: impl Into<Number>, amount: i64) {
        self.limiter.set_current_time(now.into()).unwrap();
        let batch = self.batch(&[("a", amount)]);
        self.limiter.incr(&mut self.store, &batch).unwrap();
    }

    /// What all counters hold together.
    fn sum(&self) -> u64 {
        self.store.counters.values().map(|(value, _)| value).sum()
    }
}

#[test]
fn a_limit_of_3_in_100_seconds_as_in_mediawiki() {
    let mut f = Fixture::at(3, Int(100), 10, false);
    for now in [1000, 1010, 1020] {
        assert!(f.take(now, 1).is_allowed());
    }
    assert!(!f.take(1030, 1).is_allowed());
    let refused = f.look(1090, 1);
    assert_eq!(
        (refused.is_allowed(), refused.prev_total, refused.new_total),
        (false, 3, 4)
    );
    assert_eq!(f.look(1103, 1).prev_total, 3);
    assert!(f.take(1109, 1).is_allowed());
    assert!(!f.take(1109, 1).is_allowed());
    assert_eq!(
        f.store.counters.get(b"local:p:a::100".as_slice()),
        Some(&(1, 110))
    );
}

#[test]
fn limit_n_lets_n_through() {
    for strict in [false, true] {
        let mut f = Fixture::at(5, Int(60), 30, strict);
        let allowed: Vec<bool> = (0..8).map(|_| f.take(1000, 1).is_allowed()).collect();
        assert_eq!(
            allowed,
            [true, true, true, true, true, false, false, false],
            "strict: {strict}"
        );
        assert_eq!(f.sum(), 5);

        // A limit of one is no special case.
        let mut f = Fixture::at(1, Int(10), 30, strict);
        let allowed = [0, 1, 5, 11].map(|after| f.take(1000 + after, 1).is_allowed());
        assert_eq!(allowed, [true, false, false, true], "strict: {strict}");
        let mut none = Fixture::at(0, Int(10), 30, strict);
        assert!(!none.take(1000, 1).is_allowed() && none.look(1000, 0).is_allowed());
    }
}

#[test]
fn looking_takes_nothing_and_amount_0_only_looks() {
    for strict in [false, true] {
        let mut f = Fixture::at(3, Int(60), 30, strict);
        f.take(1000, 3);
        let before = f.store.counters.clone();
        assert!(
            !f.look(1000, 1).is_allowed()
                && f.look(1000, 0).is_allowed()
                && f.take(1000, 0).is_allowed()
        );
        f.count(1000, 0);
        assert_eq!(f.store.counters, before);
        f.count(1000, 1);
        assert!(!f.look(1000, 0).is_allowed(), "4 of 3 are used");
    }
}

#[test]
fn amounts_are_taken_whole_or_not_at_all() {
    for strict in [false, true] {
        let mut f = Fixture::at(90, Int(60), 30, strict);
        for _ in 0..9 {
            f.count(1000, 9);
        }
        assert!(f.take(1000, 9).is_allowed());
        assert!(!f.take(1000, 1).is_allowed());
        assert_eq!(f.sum(), 90);
        let mut f = Fixture::at(90, Int(60), 30, strict);
        let refused = f.take(1000, 91);
        assert_eq!(
            (
                refused.is_allowed(),
                refused.remaining(),
                refused.retry_after()
            ),
            (false, 90, f64::INFINITY)
        );
        assert!(
            f.store.counters.is_empty(),
            "never counted, not even for a moment"
        );
    }
}

#[test]
fn a_batch_is_counted_if_all_of_it_is_allowed() {
    for strict in [false, true] {
        let mut f = Fixture::new(&[(10, Int(60)), (1, Int(60))], 30, strict, || {
            panic!("the time is set")
        });
        let mut taken = || f.run(Int(1000), &[("b", 1), ("a", 1)], Intent::TryIncr);
        let results = [taken(), taken(), taken()];
        assert_eq!(
            results.each_ref().map(BatchResult::is_allowed),
            [true, false, false],
            "strict: {strict}"
        );
        let [b, a] = &results[2].results[..] else {
            panic!()
        };
        assert_eq!(
            (b.condition, b.prev_total, b.new_total, b.is_allowed()),
            (1, 1, 2, false)
        );
        assert_eq!(
            (a.condition, a.prev_total, a.new_total, a.is_allowed()),
            (0, 1, 2, true)
        );
        assert_eq!(
            (results[2].retry_after(), a.retry_after()),
            (b.retry_after(), 0.0)
        );
        assert_eq!(f.sum(), 2);
        assert!(f.run(Int(1000), &[], Intent::TryIncr).is_allowed());
    }
}

#[test]
fn keys_of_batches_repeat_the_condition() {
    let mut f = Fixture::at(5, Int(60), 30, false);
    f.limiter.set_current_time(Int(1000)).unwrap();
    let conditions = f.limiter.conditions().clone();
    let mut batch = Batch::new(&conditions);
    batch
        .operation(&conditions, b"a", false, &[Component::Int(7)], 1)
        .unwrap();
    f.limiter
        .run(&mut f.store, &batch, Intent::TryIncr)
        .unwrap();
    let mut direct = Batch::new(&conditions);
    direct
        .direct(&conditions, b"a", true, &[Component::Int(7)], 2)
        .unwrap();
    f.limiter
        .run(&mut f.store, &direct, Intent::TryIncr)
        .unwrap();
    let mut keys: Vec<&[u8]> = f.store.counters.keys().map(Vec::as_slice).collect();
    keys.sort();
    assert_eq!(
        keys,
        [b"global:p:a::500:7".as_slice(), b"local:p:a::500:a:7"]
    );
}

#[test]
fn bad_operations_are_refused_by_name() {
    let f = Fixture::at(5, Int(60), 30, false);
    let conditions = f.limiter.conditions();
    let mut batch = Batch::new(conditions);
    let mut op = |name: &[u8], amount| {
        let added = batch.operation(conditions, name, false, &[], amount);
        added.map(|_| ())
    };
    assert_eq!(op(b"x\n", 1), Err(Invalid::UnknownCondition("x\\n".into())));
    assert_eq!(op(b"a", -1), Err(Invalid::NegativeAmount(-1)));
    assert_eq!(op(b"a", 1), Ok(()));
    assert_eq!(op(b"a", 1), Err(Invalid::RepeatedCondition("a".into())));
    assert_eq!(batch.len(), 1);
}

#[test]
fn remaining_stays_between_0_and_the_limit() {
    for strict in [false, true] {
        let mut f = Fixture::at(3, Int(60), 30, strict);
        assert_eq!(f.look(1000, 1).remaining(), 3);
        f.count(1000, 10);
        assert_eq!(f.look(1000, 1).remaining(), 0);
        assert_eq!(f.look(1000 + 100 * 60, 1).remaining(), 3);
        // A clock far behind the counts, and now on the edge of a bucket that others count in.
        for now in [Int(0), Int(999), Float(1000.0), Float(999.9999)] {
            let seen = f.look(now, 1);
            assert!(
                (0..=3).contains(&seen.remaining()) && seen.prev_total >= 0,
                "{now:?}: {seen:?}"
            );
        }
    }
}

#[test]
fn refused_hits_do_not_count() {
    for strict in [false, true] {
        let mut f = Fixture::at(2, Int(2), 30, strict);
        let allowed = (0..50)
            .filter(|i| f.take(1000.0 + f64::from(*i) / 10.0, 1).is_allowed())
            .count();
        assert!(
            (4..=6).contains(&allowed),
            "{allowed} of 2 in each 2 of 5 seconds, strict: {strict}"
        );
    }
}

#[test]
fn fractions_of_seconds_count() {
    let mut f = Fixture::at(1, Int(2), 30, false);
    assert!(f.take(1000.9, 1).is_allowed());
    assert!(!f.take(1002.8, 1).is_allowed());
    assert!(f.take(1003.0, 1).is_allowed());
}

#[test]
fn the_wait_is_for_the_oldest_hits_to_leave_the_window() {
    let mut f = Fixture::at(3, Int(60), 30, false);
    f.take(1000, 3);
    let wait = f.take(1010, 1).retry_after();
    assert!((50.0..52.0).contains(&wait), "{wait}");
    assert!(f.look(1010.0 + wait, 1).is_allowed());
    // In strict mode whole buckets leave, one late for clocks that are behind: the one from 1000 to 1002
    // does at 1064.
    let mut f = Fixture::at(3, Int(60), 30, true);
    f.take(1000, 3);
    let wait = f.take(1010, 1).retry_after();
    assert!((54.0..54.001).contains(&wait), "{wait}");
    assert_eq!(f.take(1000, 4).retry_after(), f64::INFINITY);
    assert_eq!(f.take(2000, 1).retry_after(), 0.0);
}

#[test]
fn who_waits_as_told_is_let_through_and_who_comes_earlier_is_not() {
    let seed = fastrand::u64(..);
    eprintln!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let mut waits = 0;
    for _ in 0..4000 {
        let strict = random.bool();
        let window = [
            Int(10),
            Int(60),
            Int(3600),
            Float(7.3),
            Float(0.5),
            Int(100),
        ][random.usize(0..6)];
        let (limit, buckets) = (random.i64(1..40), random.i64(1..40));
        let step = window.as_f64() / buckets as f64;
        let mut f = Fixture::at(limit, window, buckets, strict);
        let mut now = [1000.0, 1_700_000_000.0, 1_700_000_123.456][random.usize(0..3)];
        let mut last_count = now;
        for _ in 0..random.usize(1..60) {
            now += step * random.f64() * 3.0;
            let time = if random.bool() {
                Float(now)
            } else {
                Int(now as i64)
            };
            let amount = random.i64(1..=limit.min(5));
            match random.u8(0..10) {
                0 => f.count(time, amount),
                1 => {
                    // By a clock ahead of ours.
                    let ahead = now + step * random.f64();
                    last_count = last_count.max(ahead);
                    f.count(Float(ahead), amount);
                }
                _ => drop(f.take(time, amount)),
            }
        }
        // With some luck on an edge; a full bucket behind another clock's counts it would not see them.
        let edge = (now / step).round() * step;
        let times = [Float(now), Float(edge), Int(now as i64), Int(edge as i64)];
        let time = times[random.usize(0..4)];
        let in_sight = last_count.max(now) < time.as_f64() + step * 0.999;
        let time = if in_sight { time } else { Float(now) };
        let amount = random.i64(1..=limit);
        let result = f.look(time, amount);
        let wait = result.retry_after();
        assert_eq!(result.is_allowed(), wait == 0.0);
        if wait > 0.0 {
            waits += 1;
            let mut then = |wait: f64| f.look(time.as_f64() + wait, amount).is_allowed();
            assert!(wait < window.as_f64() + step * 3.0, "{wait}");
            assert!(then(wait), "{result:?}: too early after {wait}");
            if wait > step * 0.01 {
                assert!(
                    !then(wait - step * 0.01),
                    "{result:?}: already before {wait}"
                );
            }
        }
    }
    assert!(waits > 1000, "{waits} waits are too few to tell");
}
