//! The queue against a plain model.

use std::collections::HashMap;

use proptest::prelude::*;

use super::chunks::CHUNK;
use super::*;

fn ttl(seconds: u32) -> Ttl {
    Ttl::from_raw(seconds)
}

fn key(name: &str) -> Parts<'_> {
    Parts::bare(name.as_bytes())
}

/// Gives up to `count` commands their wire form; how many did get one.
fn encode(outbox: &mut Outbox, count: u64) -> u64 {
    let mut done = 0;
    if count > 0 {
        outbox.encode(|_| {
            done += 1;
            done < count
        });
    }
    done
}

fn decr(outbox: &mut Outbox, key: Parts<'_>, step: u64) -> Result<Queued, KeyError> {
    outbox.queue(key, &Action::Decr { step })
}

fn delete(outbox: &mut Outbox, key: Parts<'_>) -> Result<Queued, KeyError> {
    outbox.queue(key, &Action::Delete)
}

fn touch(outbox: &mut Outbox, key: Parts<'_>, ttl: Ttl) -> Result<Queued, KeyError> {
    outbox.queue(key, &Action::Touch { ttl })
}

fn store(
    outbox: &mut Outbox,
    mode: StoreMode,
    key: Parts<'_>,
    value: &[u8],
    ttl: Ttl,
    flags: u32,
) -> Result<Queued, KeyError> {
    outbox.queue(
        key,
        &Action::Store {
            mode,
            flags,
            ttl,
            value,
        },
    )
}

/// `(key, what)` of all records, taken out.
fn drain(outbox: &mut Outbox) -> Vec<String> {
    let mut all = Vec::new();
    outbox.encode(|command| {
        let name = String::from_utf8_lossy(command.key).into_owned();
        all.push(match command.action {
            Action::Incr { step, ttl, init } => format!("{name}+{step}i{init}t{}", ttl.seconds()),
            Action::Decr { step } => format!("{name}-{step}"),
            Action::Store {
                mode,
                flags,
                ttl,
                value,
            } => {
                format!("{name}{mode:?}{flags}t{}={}", ttl.seconds(), value.len())
            }
            Action::Delete => format!("{name}x"),
            Action::Touch { ttl } => format!("{name}t{}", ttl.seconds()),
        });
        true
    });
    outbox.release_encoded();
    all
}

#[test]
fn increments_of_one_key_and_lifetime_become_one() {
    let mut outbox = Outbox::new(1 << 20);
    for _ in 0..1000 {
        outbox.incr(key("a"), 1, ttl(60), 1).unwrap();
        outbox.incr(key("b"), 2, ttl(60), 2).unwrap();
    }
    assert_eq!(outbox.incr(key("a"), 1, ttl(61), 1), Ok(Queued::New));
    assert_eq!(outbox.pending(), 3);
    assert_eq!(
        drain(&mut outbox),
        ["a+1000i1000t60", "b+2000i2000t60", "a+1i1t61"]
    );
    assert_eq!((outbox.pending(), outbox.pending_bytes()), (0, 0));
}

#[test]
fn a_start_value_grows_with_later_steps() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), 5, ttl(0), 100).unwrap();
    outbox.incr(key("b"), 5, ttl(0), 5).unwrap();
    assert_eq!(outbox.incr(key("a"), 7, ttl(0), 7), Ok(Queued::Merged));
    assert_eq!(outbox.incr(key("b"), 7, ttl(0), 0), Ok(Queued::Merged));
    assert_eq!(drain(&mut outbox), ["a+12i107t0", "b+12i12t0"]);
}

#[test]
fn decrements_merge_with_decrements_only() {
    let mut outbox = Outbox::new(1 << 20);
    decr(&mut outbox, key("a"), 2).unwrap();
    assert_eq!(decr(&mut outbox, key("a"), 3), Ok(Queued::Merged));
    assert_eq!(outbox.incr(key("a"), 1, ttl(0), 1), Ok(Queued::New));
    assert_eq!(decr(&mut outbox, key("a"), 4), Ok(Queued::New));
    assert_eq!(drain(&mut outbox), ["a-5", "a+1i1t0", "a-4"]);
}

#[test]
fn nothing_merges_across_another_command_on_the_key() {
    let mut outbox = Outbox::new(1 << 20);
    let a = key("a");
    outbox.incr(a, 1, ttl(0), 1).unwrap();
    delete(&mut outbox, a).unwrap();
    outbox.incr(a, 1, ttl(0), 1).unwrap();
    touch(&mut outbox, a, ttl(9)).unwrap();
    outbox.incr(a, 1, ttl(0), 1).unwrap();
    store(&mut outbox, StoreMode::Set, a, b"10", ttl(3), 7).unwrap();
    outbox.incr(a, 1, ttl(0), 1).unwrap();
    outbox.incr(a, 1, ttl(0), 1).unwrap();
    assert_eq!(
        drain(&mut outbox),
        [
            "a+1i1t0",
            "ax",
            "a+1i1t0",
            "at9",
            "a+1i1t0",
            "aSet7t3=2",
            "a+2i2t0"
        ]
    );
}

#[test]
fn sums_that_do_not_fit_stay_apart() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), u64::MAX, ttl(0), u64::MAX).unwrap();
    assert_eq!(outbox.incr(key("a"), 1, ttl(0), 1), Ok(Queued::New));
    outbox.incr(key("b"), 1, ttl(0), u64::MAX).unwrap();
    assert_eq!(outbox.incr(key("b"), 1, ttl(0), 1), Ok(Queued::New));
}

#[test]
fn a_full_queue_refuses_new_keys_and_still_merges() {
    let limit = if cfg!(miri) { 10_000 } else { 100_000 };
    let mut outbox = Outbox::new(limit);
    let mut n = 0;
    while outbox.incr(key(&format!("key{n}")), 1, ttl(0), 1) == Ok(Queued::New) {
        n += 1;
    }
    assert!(outbox.pending_bytes() <= limit && n > limit as u64 / 33);
    assert_eq!(outbox.incr(key("new"), 1, ttl(0), 1), Ok(Queued::Full));
    let last = format!("key{}", n - 1);
    assert_eq!(outbox.incr(key(&last), 1, ttl(0), 1), Ok(Queued::Merged));
    assert!(outbox.incr(key("a b"), 1, ttl(0), 1).is_err());
    assert_eq!(outbox.pending(), n);
}

#[test]
fn a_full_queue_merges_into_every_command_it_has() {
    let part = if cfg!(miri) { 100 } else { 1000 };
    let mut outbox = Outbox::new(200 * part);
    // All of one length: a shorter key may still find room of its own.
    let fill = |outbox: &mut Outbox, name: &str| {
        (0..)
            .take_while(|n| {
                outbox.incr(key(&format!("{name}{n:05}")), 1, ttl(0), 1) == Ok(Queued::New)
            })
            .count()
    };
    let merged = |outbox: &mut Outbox, name: &str, count: usize| {
        (0..count)
            .filter(|n| {
                outbox.incr(key(&format!("{name}{n:05}")), 1, ttl(0), 1) == Ok(Queued::Merged)
            })
            .count()
    };
    let first = fill(&mut outbox, "first");
    assert!(first > 3 * SLOTS, "{first} must collide");
    assert_eq!(merged(&mut outbox, "first", first), first);
    assert_eq!(
        outbox.incr(key("another_new_one"), 1, ttl(0), 1),
        Ok(Queued::Full)
    );
    // Some go and others come: what is on its way can't be merged with, what came can.
    encode(&mut outbox, 2 * part as u64);
    assert_eq!(merged(&mut outbox, "first", first), first - 2 * part);
    outbox.release(part as u64);
    let removed = format!("first{:05}", 3 * part - 1);
    assert_eq!(delete(&mut outbox, key(&removed)), Ok(Queued::New));
    let second = fill(&mut outbox, "second");
    assert_eq!(merged(&mut outbox, "second", second), second);
    assert_eq!(
        merged(&mut outbox, "first", first),
        first - (2 * part + 1),
        "not past the removal"
    );
    // The connection is gone.
    outbox.rewind();
    assert_eq!(merged(&mut outbox, "first", first), first - (part + 1));
    outbox.clear();
    assert_eq!(
        outbox.incr(key("second00000"), 1, ttl(0), 1),
        Ok(Queued::New)
    );
}

#[test]
fn a_full_queue_merges_when_its_last_chunk_is_full_too() {
    let mut outbox = Outbox::new(CHUNK);
    let mut n = 0;
    while outbox.incr(key(&format!("key{n:05}")), 1, ttl(0), 1) == Ok(Queued::New) {
        n += 1;
    }
    assert_eq!(
        outbox.incr(key(&format!("key{:05}", n - 1)), 1, ttl(0), 1),
        Ok(Queued::Merged)
    );
    assert_eq!(
        outbox.incr(key(&format!("key{:05}", n - 2)), 1, ttl(0), 1),
        Ok(Queued::Merged)
    );
}

#[test]
fn bad_keys_leave_no_trace() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), 1, ttl(0), 1).unwrap();
    let before = outbox.pending_bytes();
    for bad in ["", "a b", "a\r\n", "\u{7f}", &"k".repeat(251)] {
        assert!(outbox.incr(key(bad), 1, ttl(0), 1).is_err());
        assert!(delete(&mut outbox, key(bad)).is_err());
        assert!(store(&mut outbox, StoreMode::Add, key(bad), b"v", ttl(0), 0).is_err());
    }
    assert_eq!((outbox.pending(), outbox.pending_bytes()), (1, before));
    assert_eq!(drain(&mut outbox), ["a+1i1t0"]);
}

#[test]
fn what_has_a_wire_form_does_not_merge_until_it_is_void() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), 1, ttl(0), 1).unwrap();
    assert_eq!(encode(&mut outbox, 1), 1);
    assert_eq!(outbox.incr(key("a"), 1, ttl(0), 1), Ok(Queued::New));
    outbox.rewind();
    assert_eq!(outbox.incr(key("a"), 1, ttl(0), 1), Ok(Queued::Merged));
    assert_eq!(drain(&mut outbox), ["a+1i1t0", "a+2i2t0"]);
}

#[test]
fn staged_commands_tell_their_head_and_merge_only_if_it_is_the_same() {
    let mut outbox = Staging::new(1 << 20);
    let cut = |head: &'static str, key: &'static str| Parts {
        head: head.as_bytes().into(),
        key: key.as_bytes(),
    };
    for (parts, queued) in [
        (cut("", "a:b"), Queued::New),
        (cut("a:", "b"), Queued::New),
        (cut("", "c"), Queued::New),
        (cut("a:", "b"), Queued::Merged),
        (cut("", "a:b"), Queued::New),
    ] {
        assert_eq!(outbox.incr(parts, 1, ttl(0), 1), Ok(queued), "{parts:?}");
        outbox.incr(cut("x", "y"), 1, ttl(0), 1).unwrap();
    }
    let staged: Vec<_> = outbox
        .staged()
        .map(|staged| (staged.command.key.len(), staged.head))
        .collect();
    assert_eq!(staged.len() as u64, outbox.pending());
    assert_eq!(&staged[..2], [(3, 0), (2, 1)]);
    assert_eq!(staged.iter().filter(|row| **row == (3, 2)).count(), 1);
}

#[test]
fn a_full_stage_says_so() {
    // In one chunk, and in several, of which a queue that is no stage would make an index.
    for limit in [2000, 5 * CHUNK] {
        let mut stage = Staging::new(limit);
        let taken = (0..10_000)
            .take_while(|n| stage.incr(key(&format!("key{n}")), 1, ttl(0), 1) == Ok(Queued::New))
            .count();
        assert!((limit / 40..limit / 25).contains(&taken), "{taken}");
        assert_eq!(stage.pending(), taken as u64);
        let keys = stage.staged().map(|staged| staged.command.key.to_vec());
        assert!(keys.eq((0..taken).map(|n| format!("key{n}").into_bytes())));
        assert!(stage.pending_bytes() <= limit);
    }
}

#[test]
fn what_was_staged_merges_as_if_it_came_directly() {
    let mut stage = Staging::new(1 << 20);
    let head = &b"route:"[..];
    for (name, step, init) in [("one", 1, 1), ("two", 2, 9), ("new", 3, 7)] {
        let parts = Parts {
            head: head.into(),
            key: name.as_bytes(),
        };
        assert_eq!(stage.incr(parts, step, ttl(0), init), Ok(Queued::New));
    }
    let mut outbox = Outbox::new(1 << 20);
    for name in ["route:one", "route:two", "other"] {
        outbox.incr(key(name), 10, ttl(0), 10).unwrap();
    }
    let queued: Vec<Queued> = stage
        .staged()
        .map(|staged| outbox.unstage(&staged))
        .collect();
    assert_eq!(queued, [Queued::Merged, Queued::Merged, Queued::New]);
    assert_eq!(
        drain(&mut outbox),
        [
            "route:one+11i11t0",
            "route:two+12i12t0",
            "other+10i10t0",
            "route:new+3i7t0"
        ]
    );
}

#[test]
fn an_idle_queue_keeps_little_and_goes_on_as_before() {
    let mut outbox = Outbox::new(1 << 20);
    for round in 1..=3 {
        for n in 0..3 * CHUNK / 32 {
            let name = format!("key{n:07}");
            assert_eq!(outbox.incr(key(&name), 1, ttl(0), 1), Ok(Queued::New));
        }
        // Not while there is something in it.
        outbox.shrink();
        assert_eq!(drain(&mut outbox).len(), 3 * CHUNK / 32, "{round}");
        assert!(outbox.chunks.tail.bytes.len() >= CHUNK);
        outbox.shrink();
        assert_eq!(outbox.chunks.tail.bytes.len(), 0);
        // What fits into a small one stays there.
        for _ in 0..2 {
            assert_eq!(outbox.incr(key("few"), 1, ttl(0), 1), Ok(Queued::New));
            assert_eq!(outbox.incr(key("few"), 1, ttl(0), 1), Ok(Queued::Merged));
            assert_eq!(drain(&mut outbox).len(), 1);
            outbox.shrink();
            assert!((1..CHUNK).contains(&outbox.chunks.tail.bytes.len()));
        }
    }
}

#[test]
fn a_reused_chunk_is_not_taken_for_the_old_one() {
    let mut outbox = Outbox::new(1 << 20);
    // A key that looks like a record, where an old entry of the table points to.
    // More than there are numbers of chunks; Miri looks at the first.
    for round in 0..if cfg!(miri) { 200 } else { 70_000u32 } {
        outbox.incr(key("a"), 1, ttl(0), 1).unwrap();
        outbox.incr(key("bb"), 1, ttl(0), 1).unwrap();
        assert_eq!(encode(&mut outbox, 9), 2);
        outbox.release_encoded();
        assert_eq!(
            outbox.incr(key("bb"), 1, ttl(0), 1),
            Ok(Queued::New),
            "round {round}"
        );
        outbox.clear();
    }
}

#[test]
fn an_emptied_queue_is_not_taken_for_the_old_one() {
    let mut outbox = Outbox::new(1 << 20);
    let mut n = 0;
    let name = loop {
        let name = format!("key{n:05}");
        outbox.incr(key(&name), 1, ttl(0), 1).unwrap();
        n += 1;
        if outbox.chunks.last() == 1 && outbox.chunks.tail.len > 240 {
            break name;
        }
    };
    let offset = outbox.chunks.tail.len - HEADER - name.len();
    assert_eq!(outbox.clear(), n);
    // A value that looks like a record, where an old entry of the table points to.
    let mut value = vec![b'-'; offset - HEADER - 1];
    value.extend_from_slice(&header(1, outbox.fields(Kind::Incr, ttl(0), key(&name))));
    value.extend_from_slice(name.as_bytes());
    store(&mut outbox, StoreMode::Set, key("x"), &value, ttl(0), 0).unwrap();
    assert_eq!(outbox.incr(key(&name), 1, ttl(0), 1), Ok(Queued::New));
    let mut queued = Vec::new();
    outbox.encode(|command| {
        if let Action::Store { value, .. } = command.action {
            queued.extend_from_slice(value);
        }
        true
    });
    assert_eq!(queued, value);
}

#[test]
fn values_of_any_size_and_backlogs_of_many_chunks() {
    let mut outbox = Outbox::new(8 << 20);
    for (n, size) in [0, 1, 1000, CHUNK, CHUNK + 1, 1 << 20, 5]
        .into_iter()
        .enumerate()
    {
        let name = format!("v{n}");
        let value = vec![b'x'; size];
        assert_eq!(
            store(
                &mut outbox,
                StoreMode::Replace,
                key(&name),
                &value,
                ttl(0),
                n as u32
            ),
            Ok(Queued::New)
        );
        outbox.incr(key("n"), 1, ttl(0), 1).unwrap();
    }
    let all = drain(&mut outbox);
    assert_eq!(all[0], "v0Replace0t0=0");
    assert_eq!(all[1], "n+7i7t0");
    assert_eq!(all[6], "v5Replace5t0=1048576");
    assert_eq!(all.len(), 8);
}

#[test]
fn encoding_can_stop_before_a_value() {
    let mut outbox = Outbox::new(1 << 20);
    let large = vec![b'x'; CHUNK];
    for value in [&b""[..], &large, b"v"] {
        delete(&mut outbox, key("a")).unwrap();
        delete(&mut outbox, key("b")).unwrap();
        store(&mut outbox, StoreMode::Add, key("v"), value, ttl(0), 0).unwrap();
    }
    for _ in 0..3 {
        for expected in [2, 0] {
            let mut count = 0;
            outbox.encode_some(false, &mut |_: &Command<'_>| {
                count += 1;
                true
            });
            assert_eq!(count, expected);
        }
        assert_eq!(encode(&mut outbox, 1), 1);
    }
    outbox.release_encoded();
    assert_eq!(outbox.pending(), 0);
}

#[test]
fn overwriting_commands_and_what_follows_them_are_given_up() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), 1, ttl(0), 1).unwrap();
    store(&mut outbox, StoreMode::Set, key("a"), b"v", ttl(0), 0).unwrap();
    outbox.incr(key("a"), 2, ttl(0), 2).unwrap();
    delete(&mut outbox, key("a")).unwrap();
    touch(&mut outbox, key("b"), ttl(4)).unwrap();
    decr(&mut outbox, key("c"), 3).unwrap();
    delete(&mut outbox, key("d")).unwrap();
    let dropped = outbox.drop_overwriting();
    assert_eq!(
        dropped,
        Dropped {
            commands: 4,
            merged: 0
        }
    );
    assert!(!outbox.overwriting);
    touch(&mut outbox, key("b"), ttl(4)).unwrap();
    assert_eq!(outbox.drop_overwriting().commands, 1);
    assert_eq!(drain(&mut outbox), ["a+1i1t0", "c-3", "dx"]);
}

#[test]
fn a_queue_of_increments_is_not_gone_through_for_overwriting_commands() {
    let mut outbox = Outbox::new(1 << 20);
    outbox.incr(key("a"), 1, ttl(0), 1).unwrap();
    delete(&mut outbox, key("a")).unwrap();
    let before = outbox.chunks.tail.bytes.as_ptr();
    assert_eq!(outbox.drop_overwriting(), Dropped::default());
    assert_eq!(outbox.chunks.tail.bytes.as_ptr(), before, "not copied");
    assert_eq!(drain(&mut outbox), ["a+1i1t0", "ax"]);
}

#[derive(Clone, Debug)]
enum Step {
    Incr(u8, u64, u32, Option<u64>),
    Decr(u8, u64),
    Delete(u8),
    Set(u8, u16),
    Encode(u8),
    Release,
    ReleaseSome(u8),
    Rewind,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let k = 0..12u8;
    proptest::collection::vec(
        prop_oneof![
            8 => (k.clone(), 0..100u64, prop::sample::select(vec![0u32, 60]),
                  proptest::option::weighted(0.2, 0..50u64))
                .prop_map(|(k, s, t, i)| Step::Incr(k, s, t, i)),
            2 => (k.clone(), 0..50u64).prop_map(|(k, s)| Step::Decr(k, s)),
            1 => k.clone().prop_map(Step::Delete),
            1 => (k, 0..3000u16).prop_map(|(k, n)| Step::Set(k, n)),
            2 => (0..9u8).prop_map(Step::Encode),
            1 => Just(Step::Release),
            1 => (0..9u8).prop_map(Step::ReleaseSome),
            1 => Just(Step::Rewind),
        ],
        0..if cfg!(miri) { 60 } else { 300 },
    )
}

/// What a command does to what a server holds.
type Effect = Box<dyn Fn(&mut HashMap<Vec<u8>, u64>)>;

/// What a server would hold: the meaning that merging must keep.
fn apply(server: &mut HashMap<Vec<u8>, u64>, key: &[u8], action: &Action<'_>) {
    let current = server.get(key).copied();
    match (action, current) {
        (Action::Incr { step, .. }, Some(n)) => server.insert(key.to_vec(), n + step),
        (Action::Incr { init, .. }, None) => server.insert(key.to_vec(), *init),
        (Action::Decr { step }, Some(n)) => server.insert(key.to_vec(), n.saturating_sub(*step)),
        (Action::Decr { .. }, None) => None,
        (Action::Store { value, .. }, _) => server.insert(key.to_vec(), value.len() as u64),
        (Action::Delete, _) => server.remove(key),
        (Action::Touch { .. }, _) => None,
    };
}

proptest! {
    #[test]
    fn merging_changes_no_value_and_no_command_is_lost_or_doubled(
        steps in steps(),
        limit in prop::sample::select(vec![200, 1000, 20_000]),
    ) {
        let mut outbox = Outbox::new(limit);
        let mut wanted = HashMap::new();
        let mut got = HashMap::new();
        let (mut queued, mut released) = (0u64, 0u64);
        // Wire forms not released yet: applied on release, forgotten on rewind.
        let mut wire: Vec<(Vec<u8>, Effect)> = Vec::new();
        fn owned(c: Command<'_>) -> (Vec<u8>, Effect) {
            let key = c.key.to_vec();
            let k = key.clone();
            match c.action {
                Action::Store { mode, flags, ttl, value } => {
                    let value = value.to_vec();
                    (key, Box::new(move |s| {
                        apply(s, &k, &Action::Store { mode, flags, ttl, value: &value })
                    }))
                }
                Action::Incr { step, ttl, init } => {
                    (key, Box::new(move |s| apply(s, &k, &Action::Incr { step, ttl, init })))
                }
                Action::Decr { step } => {
                    (key, Box::new(move |s| apply(s, &k, &Action::Decr { step })))
                }
                Action::Delete => (key, Box::new(move |s| apply(s, &k, &Action::Delete))),
                Action::Touch { ttl } => {
                    (key, Box::new(move |s| apply(s, &k, &Action::Touch { ttl })))
                }
            }
        }
        for step in steps {
            match step {
                Step::Incr(k, s, t, i) => {
                    let name = format!("k{k}");
                    let init = i.unwrap_or(s);
                    let outcome = outbox.incr(key(&name), s, ttl(t), init).unwrap();
                    if outcome != Queued::Full {
                        apply(&mut wanted, name.as_bytes(),
                              &Action::Incr { step: s, ttl: ttl(t), init });
                    }
                    queued += u64::from(outcome == Queued::New);
                }
                Step::Decr(k, s) => {
                    let name = format!("k{k}");
                    let outcome = decr(&mut outbox, key(&name), s).unwrap();
                    if outcome != Queued::Full {
                        apply(&mut wanted, name.as_bytes(), &Action::Decr { step: s });
                    }
                    queued += u64::from(outcome == Queued::New);
                }
                Step::Delete(k) => {
                    let name = format!("k{k}");
                    if delete(&mut outbox, key(&name)).unwrap() == Queued::New {
                        queued += 1;
                        apply(&mut wanted, name.as_bytes(), &Action::Delete);
                    }
                }
                Step::Set(k, n) => {
                    let name = format!("k{k}");
                    let value = vec![b'v'; n.into()];
                    if store(&mut outbox, StoreMode::Set, key(&name), &value, ttl(0), 0).unwrap()
                        == Queued::New
                    {
                        queued += 1;
                        apply(&mut wanted, name.as_bytes(), &Action::Store {
                            mode: StoreMode::Set, flags: 0, ttl: ttl(0), value: &value });
                    }
                }
                Step::Encode(n) => {
                    let until = wire.len() + usize::from(n);
                    if n > 0 {
                        outbox.encode(|command| {
                            wire.push(owned(*command));
                            wire.len() < until
                        });
                    }
                }
                Step::Release => {
                    released += wire.len() as u64;
                    for (_, effect) in wire.drain(..) { effect(&mut got); }
                    outbox.release_encoded();
                }
                Step::ReleaseSome(n) => {
                    let n = usize::from(n).min(wire.len());
                    released += n as u64;
                    for (_, effect) in wire.drain(..n) { effect(&mut got); }
                    outbox.release(n as u64);
                }
                Step::Rewind => { wire.clear(); outbox.rewind(); }
            }
            prop_assert!(outbox.pending_bytes() <= limit);
            prop_assert_eq!(queued, released + outbox.pending());
        }
        wire.clear();
        outbox.rewind();
        outbox.encode(|command| {
            apply(&mut got, command.key, &command.action);
            released += 1;
            true
        });
        outbox.release_encoded();
        prop_assert_eq!(queued, released);
        prop_assert_eq!(got, wanted);
        prop_assert_eq!((outbox.pending(), outbox.pending_bytes()), (0, 0));
    }
}
