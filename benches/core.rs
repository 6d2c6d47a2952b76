//! The parts of an increment's way, without PHP and without a server: queueing and merging, encoding, decoding,
//! routing. `cargo bench --no-default-features -- --quick`.
//!
//! Keys are those of MediaWiki's abuse filter, 34 bytes long, and different from their neighbours in the last
//! digits, as facts are measured with. All times are per element.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use wrstats::client::config::{Config, Distribution};
use wrstats::client::endpoint::Server;
use wrstats::client::handle::Handle;
use wrstats::client::pools::Pools;
use wrstats::client::ring::Ring;
use wrstats::connection::inbox::Inbox;
use wrstats::connection::outbox::Outbox;
use wrstats::protocol::classic;
use wrstats::protocol::key::Parts;
use wrstats::protocol::meta::Spelling;
use wrstats::protocol::reply::{Malformed, Reply};
use wrstats::protocol::request::{Action, Command};
use wrstats::protocol::ttl::Ttl;

/// Increments of one edit: 300 filters with 4 metrics.
const EDIT: usize = 1200;
const NOW: u32 = 1_790_000_000;

fn keys(count: usize) -> Vec<String> {
    (0..count)
        .map(|n| format!("wiki:abusefilter-profile:v3:{n:06}"))
        .collect()
}

fn ttl(seconds: i64) -> Ttl {
    Ttl::new(seconds, || NOW).unwrap_or_default()
}

/// A handle on a server that nobody asks: it only queues.
fn handle(pools: &mut Pools) -> Handle {
    let mut config = Config::default();
    config.buffer_bytes = 1 << 30;
    Handle::open(&config, pools)
}

/// Queueing in the outbox, and through a handle as PHP does it.
fn queue(c: &mut Criterion) {
    let keys = keys(EDIT);
    let ttl = ttl(86_400);
    let mut group = c.benchmark_group("queue");
    group.throughput(Throughput::Elements(EDIT as u64));
    let outbox = || Outbox::new(1 << 30);
    group.bench_function("new keys", |b| {
        let fill = |mut outbox: Outbox| {
            for key in &keys {
                let _ = black_box(outbox.incr(Parts::bare(key.as_bytes()), 1, ttl, 1));
            }
            outbox
        };
        b.iter_batched(outbox, fill, BatchSize::LargeInput);
    });
    group.bench_function("keys that are queued already", |b| {
        let mut outbox = outbox();
        let mut fill = || {
            for key in &keys {
                let _ = black_box(outbox.incr(Parts::bare(key.as_bytes()), 1, ttl, 1));
            }
        };
        fill();
        b.iter(fill);
    });
    group.bench_function("the same key again", |b| {
        let mut outbox = outbox();
        let key = Parts::bare(keys[0].as_bytes());
        b.iter(|| {
            for _ in 0..EDIT {
                let _ = black_box(outbox.incr(black_box(key), 1, ttl, 1));
            }
        });
    });
    group.bench_function("the same key again, through a handle", |b| {
        let mut pools = Pools::default();
        let handle = handle(&mut pools);
        let key = keys[0].as_bytes();
        b.iter(|| {
            for _ in 0..EDIT {
                let _ = black_box(handle.incr(black_box(key), 1, ttl, 1));
            }
        });
    });
    group.finish();
}

/// Queue records to bytes.
fn encode(c: &mut Criterion) {
    let keys = keys(EDIT);
    let mut group = c.benchmark_group("encode");
    group.throughput(Throughput::Elements(EDIT as u64));
    let action = Action::Incr {
        step: 1,
        ttl: ttl(86_400),
        init: 1,
    };
    let commands = || {
        keys.iter().map(|key| Command {
            key: key.as_bytes(),
            action,
        })
    };
    let mut wire = Vec::with_capacity(1 << 20);
    group.bench_function("meta", |b| {
        b.iter(|| {
            wire.clear();
            let mut spelling = Spelling::new(NOW);
            for command in commands() {
                spelling.push_quiet(&mut wire, &command);
            }
            black_box(&wire);
        });
    });
    group.bench_function("classic", |b| {
        b.iter(|| {
            wire.clear();
            for command in commands() {
                classic::push_answered(&mut wire, &command, NOW);
            }
            black_box(&wire);
        });
    });
    group.bench_function("meta, from the queue", |b| {
        let mut outbox = Outbox::new(1 << 30);
        for key in &keys {
            let _ = outbox.incr(Parts::bare(key.as_bytes()), 1, ttl(86_400), 1);
        }
        b.iter(|| {
            wire.clear();
            let mut spelling = Spelling::new(NOW);
            outbox.rewind();
            outbox.encode(|command| {
                spelling.push_quiet(&mut wire, command);
                true
            });
            black_box(&wire);
        });
    });
    group.finish();
}

/// Bytes to replies.
fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("decode");
    let values: String = keys(100)
        .iter()
        .map(|key| format!("VALUE {key} 0 3\r\n123\r\n"))
        .collect();
    for (name, replies, bytes) in [
        ("HD", EDIT, "HD\r\n".repeat(EDIT)),
        (
            "STORED and a number",
            2 * EDIT,
            "STORED\r\n1234\r\n".repeat(EDIT),
        ),
        ("values of 100 counters", 101, values + "END\r\n"),
    ] {
        group.throughput(Throughput::Elements(replies as u64));
        group.bench_with_input(
            BenchmarkId::from_parameter(name),
            bytes.as_bytes(),
            |b, bytes| {
                let mut inbox = Inbox::default();
                b.iter(|| {
                    let mut count = 0;
                    let outcome = inbox.feed(bytes, &mut |reply: Reply<'_>| {
                        black_box(reply);
                        count += 1;
                        Ok::<_, Malformed>(())
                    });
                    assert_eq!((outcome, count), (Ok(()), replies));
                });
            },
        );
    }
    group.finish();
}

/// Keys to servers.
fn route(c: &mut Criterion) {
    let keys = keys(EDIT);
    let listed: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
    let servers: Vec<Server> = (0..8)
        .filter_map(|n| Server::parse(format!("10.0.0.{n}:11211").as_bytes()).ok())
        .collect();
    assert_eq!(servers.len(), 8);
    let mut group = c.benchmark_group("route over 8 servers");
    group.throughput(Throughput::Elements(EDIT as u64));
    for (name, distribution) in [
        ("ketama", Distribution::Ketama),
        ("modula", Distribution::Modula),
    ] {
        let ring = Ring::new(distribution, &servers);
        group.bench_function(name, |b| {
            b.iter(|| listed.iter().map(|key| ring.server(key)).sum::<usize>());
        });
        if distribution == Distribution::Modula {
            continue;
        }
        group.bench_function("ketama, many at a time", |b| {
            let mut owners = vec![0; EDIT];
            b.iter(|| {
                ring.servers(&listed, &mut owners);
                black_box(&owners);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, queue, encode, decode, route);
criterion_main!(benches);
