//! Counters from Rust: our core beside the crate `memcache`, which speaks meta commands too. Both make and add to the same
//! number of new counters and wait until the server has confirmed them all; they take turns, and every run is checked.
//!
//! `RUNS` (15) runs on the server in `WRSTATS_TEST_SERVER`; what is found goes to stdout and, for the report, into the folder
//! `WRSTATS_BENCH_RESULTS`, in the form of `tests/bench/harness.php`.

use std::error::Error;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use memcache::exp::{Arithmetic, MetaClient, Op};
use wrstats::client::config::Config;
use wrstats::client::handle::Handle;
use wrstats::client::input::{Input, InputKey};
use wrstats::client::pools::Pools;
use wrstats::protocol::ttl::Ttl;

type Failure = Box<dyn Error>;

const COUNTERS: usize = 10_000;
/// Commands in one batch of the crate's, about as many as one of our sends has.
const BATCH: usize = 1_000;
const TTL: u32 = 3_600;

fn main() -> Result<(), Failure> {
    // `cargo test --benches` passes no server.
    let Ok(server) = std::env::var("WRSTATS_TEST_SERVER") else {
        println!("memcache_crate: no server in WRSTATS_TEST_SERVER");
        return Ok(());
    };
    let runs = std::env::var("RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(15);
    let setting = [(
        InputKey::Bytes(b"servers"[..].into()),
        Input::Bytes(server.as_bytes().into()),
    )];
    let config =
        Config::from_array(&Config::default(), &setting).map_err(|error| format!("{error:?}"))?;
    let mut pools = Pools::default();
    let mut ours = Handle::open(&config, &mut pools);
    let theirs = MetaClient::connect(server.as_str())?;
    let check = memcache::connect(format!("memcache://{server}?protocol=ascii"))?;
    let mut times = [Vec::new(), Vec::new()];
    for run in 0..=runs {
        for (peer, times) in times.iter_mut().enumerate() {
            let keys: Vec<String> = (0..COUNTERS)
                .map(|n| {
                    format!(
                        "wiki:bench:{:08x}:{run:03}{peer}:{n:06}",
                        std::process::id()
                    )
                })
                .collect();
            let from = Instant::now();
            if peer == 0 {
                count(&mut ours, &keys)?;
            } else {
                count_in_batches(&theirs, &keys)?;
            }
            let took = from.elapsed();
            for key in keys.iter().step_by(100) {
                let value: Option<u64> = check.get(key)?;
                if value != Some(1) {
                    return Err(format!("{key} is {value:?}").into());
                }
            }
            // The first only warms up.
            if run > 0 {
                times.push(took.as_secs_f64() * 1e6 / COUNTERS as f64);
            }
        }
    }
    report(["wrstats, its core", "crate memcache, run_batch()"], times)
}

fn count(ours: &mut Handle, keys: &[String]) -> Result<(), Failure> {
    let ttl = Ttl::new(TTL.into(), || 0).map_err(|error| format!("{error:?}"))?;
    for key in keys {
        let queued = ours.incr(key.as_bytes(), 1, ttl, 1);
        if !matches!(queued, Ok(true)) {
            return Err(format!("{key} was not queued: {queued:?}").into());
        }
    }
    if ours.sync(Some(Duration::from_secs(30))) {
        Ok(())
    } else {
        Err("not everything was confirmed".into())
    }
}

fn count_in_batches(theirs: &MetaClient, keys: &[String]) -> Result<(), Failure> {
    for some in keys.chunks(BATCH) {
        let batch = some
            .iter()
            .map(|key| Op::from(Arithmetic::new(key).initial(1, TTL)));
        for result in theirs.run_batch(batch)? {
            result?;
        }
    }
    Ok(())
}

fn report(names: [&str; 2], times: [Vec<f64>; 2]) -> Result<(), Failure> {
    let median = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let ours = median(&times[0]);
    let mut rows = String::new();
    println!("10,000 new counters from Rust, confirmed (µs for one)");
    for (name, times) in names.iter().zip(&times) {
        let middle = median(times);
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(0.0, f64::max);
        let ratio = middle / ours;
        println!("  {name:<44} {middle:>12.3}  {least:>10.3} … {most:<12.3} {ratio:>8.2} x");
        let comma = if rows.is_empty() { "" } else { "," };
        write!(
            rows,
            r#"{comma}{{"peer":"{name}","median":{middle},"least":{least},"most":{most},"ratio":{ratio},"lost":0,"counted":{}}}"#,
            COUNTERS * times.len()
        )?;
    }
    if let Ok(folder) = std::env::var("WRSTATS_BENCH_RESULTS") {
        let table = format!(
            r#"[{{"kind":"table","title":"10,000 new counters from Rust, confirmed","of":"one increment","by":"wall","rows":[{rows}],"note":""}}]"#
        );
        std::fs::write(format!("{folder}/memcache_crate.json"), table)?;
    }
    Ok(())
}
