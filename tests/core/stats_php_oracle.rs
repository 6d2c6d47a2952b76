//! MediaWiki's own WRStats classes, run in PHP, against ours: random scenarios, every key, increment, deletion, read,
//! total, rate and limit compared, numbers to the bit and the type.
//!
//! Needs php and a MediaWiki in MEDIAWIKI_DIR (`make test` gets one); says so aloud and passes without. WRSTATS_SEED runs
//! one seed's scenarios again, WRSTATS_SCENARIOS sets their number.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use fastrand::Rng;
use wrstats::stats::catalog::Host;
use wrstats::stats::number::{Number, Rounding};

use super::stats_runner::{Runner, number, shown};
use super::stats_scenarios::scenario;

/// A running tests/support/wrstats_oracle.php.
struct Oracle {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    fn start() -> Oracle {
        let script = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/support/wrstats_oracle.php"
        );
        let mut child = Command::new("php")
            .args(["-n", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("php can't be started");
        let (input, output) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        Oracle {
            child,
            input,
            output,
        }
    }

    /// Runs commands; one line of outcomes for each.
    fn ask(&mut self, lines: &[String]) -> Vec<String> {
        let (input, output) = (&mut self.input, &mut self.output);
        thread::scope(|scope| {
            scope.spawn(move || {
                input
                    .write_all((lines.join("\n") + "\n").as_bytes())
                    .unwrap()
            });
            output
                .lines()
                .take(lines.len())
                .map(Result::unwrap)
                .collect()
        })
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// PHP's own round(), of the PHP that runs the oracle.
fn php_round(value: f64) -> f64 {
    static ORACLE: Mutex<Option<Oracle>> = Mutex::new(None);
    let mut oracle = ORACLE.lock().unwrap_or_else(PoisonError::into_inner);
    let answers = oracle
        .get_or_insert_with(Oracle::start)
        .ask(&[format!("round {}", shown(value.into()))]);
    number(&answers[0]).as_f64()
}

fn there() -> bool {
    let root = std::env::var("MEDIAWIKI_DIR").unwrap_or_else(|_| "/usr/share/mediawiki".into());
    let there = Path::new(&root).join("includes/libs/WRStats").is_dir()
        && Command::new("php")
            .arg("-v")
            .output()
            .is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("SKIPPED: no php, or no MediaWiki in {root} (see tests/support/mediawiki.sh)");
    }
    there
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number"))
    })
}

/// What our limiter doesn't do: an amount of 0 makes no counter.
fn without_zeros(command: &str, outcomes: &str) -> String {
    let counted = |word: &&str| !(word.starts_with('+') && word.contains("=0/"));
    if command.starts_with("limit-") || command.starts_with("batch-") {
        return outcomes
            .split(' ')
            .filter(counted)
            .collect::<Vec<_>>()
            .join(" ");
    }
    outcomes.to_owned()
}

#[test]
fn everything_comes_out_as_in_mediawiki() {
    if !there() {
        return;
    }
    let seed = setting("WRSTATS_SEED").unwrap_or_else(|| fastrand::u64(..));
    let count = setting("WRSTATS_SCENARIOS").unwrap_or(1000);
    eprintln!("WRSTATS_SEED={seed} WRSTATS_SCENARIOS={count}");
    let host = Host {
        clock: || panic!("scenarios set their times"),
        rounding: Rounding::by(php_round),
    };
    let mut oracle = Oracle::start();
    let (mut commands, mut outcomes) = (0, 0);
    for index in 0..count {
        let lines = scenario(Rng::with_seed(seed.wrapping_add(index)));
        let mut ours = Runner::new(host, index % 3 != 0);
        for (at, theirs) in oracle.ask(&lines).into_iter().enumerate() {
            let theirs = without_zeros(&lines[at], &theirs);
            let ours = ours.run(&lines[at]).join(" ");
            assert!(
                ours == theirs && !theirs.starts_with("error"),
                "scenario {index} of seed {seed} (alone: WRSTATS_SEED={} WRSTATS_SCENARIOS=1):\n{}\n  ours: {ours}\ntheirs: {theirs}",
                seed.wrapping_add(index),
                lines[..=at].join("\n")
            );
            (commands, outcomes) = (
                commands + 1,
                outcomes + theirs.split(' ').filter(|word| !word.is_empty()).count(),
            );
        }
    }
    eprintln!("{count} scenarios, {commands} commands, {outcomes} outcomes: all the same");
}

#[test]
fn rounding_asks_the_engine_wherever_it_matters() {
    if !there() {
        return;
    }
    let seed = setting("WRSTATS_SEED").unwrap_or_else(|| fastrand::u64(..));
    eprintln!("WRSTATS_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let values: Vec<f64> = (0..50_000)
        .map(|_| {
            let whole = (random.f64() * 10f64.powi(random.i32(0..17))).floor();
            let near = 10f64.powi(-random.i32(0..18));
            match random.u8(0..3) {
                0 => whole + 0.5 + near,
                1 => whole + 0.5 - near,
                _ => whole + random.f64(),
            }
        })
        .collect();
    let lines: Vec<String> = values
        .iter()
        .map(|&value| format!("round {}", shown(value.into())))
        .collect();
    let theirs = Oracle::start().ask(&lines);
    // NAN where the engine is asked: those are right by themselves.
    let rounding = Rounding::by(|_| f64::NAN);
    let mut by_ourselves = 0;
    for (value, theirs) in values.into_iter().zip(theirs) {
        let ours = rounding.round(value);
        by_ourselves += usize::from(!ours.is_nan());
        assert!(
            ours.is_nan() || Number::Float(ours) == number(&theirs),
            "{value:?}: {ours}, {theirs}"
        );
    }
    assert!(
        by_ourselves > 10_000,
        "asked the engine for all but {by_ourselves}"
    );
}
