//! `memory:`: each command's meaning, lifetimes, limits. That memcached answers the same is shown in
//! `tests/server/memory_parity.rs`.

use std::time::{Duration, Instant};

use wrstats::client::memory::{ITEM_BYTES, Memory, MemoryError, Outcome};
use wrstats::protocol::request::{Action, Command, StoreMode};
use wrstats::protocol::ttl::Ttl;

struct Store {
    memory: Memory,
    now: Instant,
}

impl Store {
    fn new() -> Self {
        Self::with_limit(1 << 20)
    }
    fn with_limit(limit: usize) -> Self {
        Store {
            memory: Memory::with_limit(limit),
            now: Instant::now(),
        }
    }
    fn pass(&mut self, millis: u64) {
        self.now += Duration::from_millis(millis);
    }
    fn apply(&mut self, key: &str, action: Action<'_>) -> Result<Outcome, MemoryError> {
        self.memory.apply(
            &Command {
                key: key.as_bytes(),
                action,
            },
            self.now,
        )
    }
    fn incr(
        &mut self,
        key: &str,
        step: u64,
        init: u64,
        seconds: i64,
    ) -> Result<Outcome, MemoryError> {
        self.apply(
            key,
            Action::Incr {
                step,
                init,
                ttl: ttl(seconds),
            },
        )
    }
    fn decr(&mut self, key: &str, step: u64) -> Result<Outcome, MemoryError> {
        self.apply(key, Action::Decr { step })
    }
    fn store(
        &mut self,
        mode: StoreMode,
        key: &str,
        value: &[u8],
        seconds: i64,
    ) -> Result<Outcome, MemoryError> {
        self.apply(
            key,
            Action::Store {
                mode,
                flags: 0,
                ttl: ttl(seconds),
                value,
            },
        )
    }
    fn set(&mut self, key: &str, value: &str) {
        assert_eq!(
            self.store(StoreMode::Set, key, value.as_bytes(), 0),
            Ok(Outcome::Done)
        );
    }
    fn get(&self, key: &str) -> Option<String> {
        let found = self.memory.get(key.as_bytes(), self.now)?;
        Some(String::from_utf8(found.value.into()).unwrap())
    }
    fn cas(&self, key: &str) -> u64 {
        self.memory.get(key.as_bytes(), self.now).unwrap().cas
    }
}

fn ttl(seconds: i64) -> Ttl {
    Ttl::new(seconds, || 0).unwrap()
}

fn text(text: &str) -> Option<String> {
    Some(text.into())
}

#[test]
fn an_increment_creates_at_init_and_then_adds() {
    let mut store = Store::new();
    assert_eq!(store.incr("k", 3, 5, 60), Ok(Outcome::Number(5)));
    assert_eq!(store.incr("k", 3, 5, 60), Ok(Outcome::Number(8)));
    assert_eq!(store.get("k"), text("8"));
    assert_eq!(store.memory.counter(b"k", store.now), Some(8));
}

#[test]
fn counters_end_at_64_bits_and_at_zero() {
    let mut store = Store::new();
    store.set("k", "18446744073709551615");
    assert_eq!(store.incr("k", 1, 1, 0), Ok(Outcome::Number(0)));
    store.set("k", "18446744073709551615");
    assert_eq!(
        store.incr("k", u64::MAX, 1, 0),
        Ok(Outcome::Number(u64::MAX - 1))
    );
    store.set("k", "10");
    assert_eq!(store.decr("k", 1), Ok(Outcome::Number(9)));
    assert_eq!(store.get("k"), text("9"), "not padded");
    assert_eq!(store.decr("k", u64::MAX), Ok(Outcome::Number(0)));
    assert_eq!(store.decr("missing", 1), Ok(Outcome::NotFound));
    assert_eq!(store.get("missing"), None);
}

#[test]
fn a_value_that_is_no_number_stays_as_it_is() {
    let mut store = Store::new();
    for value in [
        "abc",
        "",
        "1.5",
        "-1",
        "1e3",
        "0x10",
        "18446744073709551616",
    ] {
        store.set("k", value);
        assert_eq!(
            store.incr("k", 1, 1, 0),
            Err(MemoryError::NotNumber),
            "{value:?}"
        );
        assert_eq!(store.decr("k", 1), Err(MemoryError::NotNumber), "{value:?}");
        assert_eq!(store.get("k"), text(value));
        assert_eq!(store.memory.counter(b"k", store.now), None, "{value:?}");
    }
    let message = MemoryError::NotNumber.to_string();
    assert_eq!(
        message,
        "CLIENT_ERROR cannot increment or decrement non-numeric value"
    );
}

#[test]
fn flags_and_lifetime_outlast_an_increment() {
    let mut store = Store::new();
    let action = Action::Store {
        mode: StoreMode::Set,
        flags: 7,
        ttl: ttl(3),
        value: b"99",
    };
    store.apply("k", action).unwrap();
    store.pass(2999);
    assert_eq!(store.incr("k", 1, 1, 60), Ok(Outcome::Number(100)));
    assert_eq!(store.memory.get(b"k", store.now).unwrap().flags, 7);
    store.pass(1);
    assert_eq!(store.get("k"), None);
    assert_eq!(
        store.incr("k", 1, 4, 0),
        Ok(Outcome::Number(4)),
        "created anew"
    );
    assert_eq!(store.memory.get(b"k", store.now).unwrap().flags, 0);
    store.pass(1 << 40);
    assert_eq!(store.get("k"), text("4"), "0 is for ever");
}

#[test]
fn an_expired_item_is_no_item() {
    let expired = || {
        let mut store = Store::new();
        assert_eq!(store.store(StoreMode::Set, "k", b"1", 1), Ok(Outcome::Done));
        let cas = store.cas("k");
        store.pass(1000);
        (store, cas)
    };
    let (mut store, cas) = expired();
    assert_eq!(store.memory.counter(b"k", store.now), None);
    assert_eq!(store.decr("k", 1), Ok(Outcome::NotFound));
    assert_eq!(
        store.apply("k", Action::Touch { ttl: ttl(9) }),
        Ok(Outcome::NotFound)
    );
    assert_eq!(
        store.store(StoreMode::Replace, "k", b"2", 0),
        Ok(Outcome::NotStored)
    );
    assert_eq!(
        store.store(StoreMode::Cas(cas), "k", b"2", 0),
        Ok(Outcome::NotFound)
    );
    assert_eq!(store.apply("k", Action::Delete), Ok(Outcome::NotFound));
    let (mut store, _) = expired();
    assert_eq!(store.store(StoreMode::Add, "k", b"2", 0), Ok(Outcome::Done));
}

#[test]
fn add_replace_cas_delete_touch() {
    let mut store = Store::new();
    assert_eq!(
        store.store(StoreMode::Replace, "k", b"0", 0),
        Ok(Outcome::NotStored)
    );
    assert_eq!(store.store(StoreMode::Add, "k", b"1", 0), Ok(Outcome::Done));
    assert_eq!(
        store.store(StoreMode::Add, "k", b"2", 0),
        Ok(Outcome::NotStored)
    );
    assert_eq!(store.get("k"), text("1"));
    assert_eq!(
        store.store(StoreMode::Replace, "k", b"3", 0),
        Ok(Outcome::Done)
    );

    let cas = store.cas("k");
    assert_eq!(
        store.apply("k", Action::Touch { ttl: ttl(60) }),
        Ok(Outcome::Done)
    );
    assert_eq!(store.cas("k"), cas, "a touch changes no value");
    assert_eq!(
        store.store(StoreMode::Cas(cas), "k", b"4", 0),
        Ok(Outcome::Done)
    );
    assert_eq!(
        store.store(StoreMode::Cas(cas), "k", b"5", 0),
        Ok(Outcome::Exists)
    );
    let cas = store.cas("k");
    store.incr("k", 1, 1, 0).unwrap();
    assert_eq!(
        store.store(StoreMode::Cas(cas), "k", b"5", 0),
        Ok(Outcome::Exists)
    );
    assert_eq!(store.get("k"), text("5"), "4 and 1");
    assert_eq!(
        store.store(StoreMode::Cas(1), "other", b"5", 0),
        Ok(Outcome::NotFound)
    );

    assert_eq!(
        store.apply("k", Action::Touch { ttl: ttl(2) }),
        Ok(Outcome::Done)
    );
    store.pass(1999);
    assert_eq!(store.get("k"), text("5"));
    assert_eq!(
        store.apply("k", Action::Touch { ttl: ttl(0) }),
        Ok(Outcome::Done)
    );
    store.pass(1 << 30);
    assert_eq!(store.get("k"), text("5"));
    assert_eq!(store.apply("k", Action::Delete), Ok(Outcome::Done));
    assert_eq!(store.apply("k", Action::Delete), Ok(Outcome::NotFound));
    assert!(store.memory.is_empty());
    assert_eq!(store.memory.bytes(), 0);
}

#[test]
fn any_bytes_come_back_as_stored() {
    let mut store = Store::new();
    for value in [&b""[..], b"a\r\nEN\r\nVA 1\r\nx", b"007", b"\0\xff"] {
        assert_eq!(
            store.store(StoreMode::Set, "k", value, 0),
            Ok(Outcome::Done)
        );
        assert_eq!(&*store.memory.get(b"k", store.now).unwrap().value, value);
    }
}

#[test]
fn items_end_at_one_mebibyte_as_in_memcached() {
    let mut store = Store::with_limit(64 << 20);
    let value = vec![b'x'; 1_048_517];
    assert_eq!(
        store.store(StoreMode::Set, "k", &value[1..], 0),
        Ok(Outcome::Done)
    );
    assert_eq!(
        store.store(StoreMode::Replace, "k", &value, 0),
        Err(MemoryError::TooLarge)
    );
    assert_eq!(store.get("k").map(|value| value.len()), Some(1_048_516));
    assert_eq!(
        store.store(StoreMode::Set, "k", &value, 0),
        Err(MemoryError::TooLarge)
    );
    assert_eq!(store.get("k"), None, "no stale value stays");
}

#[test]
fn a_full_store_makes_room_with_expired_items_and_then_refuses() {
    let mut store = Store::with_limit(10 * (ITEM_BYTES + 2));
    for at in 10..20 {
        let seconds = if at % 2 == 0 { 60 } else { 0 };
        assert_eq!(
            store.incr(&at.to_string(), 1, 1, seconds),
            Ok(Outcome::Number(1))
        );
    }
    assert_eq!(store.incr("20", 1, 1, 0), Err(MemoryError::Full));
    assert_eq!(
        store.incr("11", 1, 1, 0),
        Ok(Outcome::Number(2)),
        "what is there still counts"
    );
    assert_eq!(
        store.store(StoreMode::Set, "11", b"x", 0),
        Err(MemoryError::Full)
    );
    assert_eq!(store.get("11"), None, "no stale value stays");
    assert_eq!(
        store.incr("20", 1, 1, 0),
        Ok(Outcome::Number(1)),
        "in the place of the former"
    );
    store.pass(60_000);
    for at in 21..26 {
        assert_eq!(
            store.incr(&at.to_string(), 1, 1, 0),
            Ok(Outcome::Number(1)),
            "{at}"
        );
    }
    assert_eq!(store.incr("26", 1, 1, 0), Err(MemoryError::Full));
    assert_eq!(store.memory.len(), 10);
}
