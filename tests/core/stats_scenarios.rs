//! Random scenarios for writers, readers and rate limiters (see tests/support/wrstats_oracle.php for their commands).

use fastrand::Rng;
use wrstats::stats::number::Number::{self, Float, Int};

use super::stats_runner::{hex, shown};

/// What a scenario is made from.
struct Scene {
    random: Rng,
    lines: Vec<String>,
    /// Name, shortest time step, time steps and expiries of each metric.
    metrics: Vec<(String, Vec<(f64, f64)>)>,
    conditions: Vec<(String, i64, f64)>,
    entities: Vec<String>,
    now: f64,
}

/// The commands of one random scenario.
pub fn scenario(random: Rng) -> Vec<String> {
    let mut scene = Scene {
        random,
        lines: Vec::new(),
        metrics: Vec::new(),
        conditions: Vec::new(),
        entities: Vec::new(),
        now: 0.0,
    };
    scene.set_up();
    for _ in 0..scene.random.usize(1..4) {
        match scene.random.u8(0..3) {
            0 => scene.limit(),
            _ => scene.write_and_read(),
        }
    }
    scene.lines
}

impl Scene {
    fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.usize(0..from.len())].clone()
    }

    fn set_up(&mut self) {
        self.now = self.pick(&[1000.0, 1e9, 1_700_000_000.0, 1_700_000_123.456, 86_400.5]);
        let prefix = self.pick(&[
            hex(b"WRStats"),
            hex(b"limiter") + " " + &hex(b"edit"),
            hex(b"p q:r") + " " + &hex(b""),
            hex(&[b'p'; 150]),
        ]);
        self.say(format!("scenario {prefix}"));
        let names: [&[u8]; 9] = [
            b"hits",
            b"total-time",
            b"a b",
            b"x:y",
            "é#%".as_bytes(),
            b"",
            b"7",
            &[b'n'; 120],
            b"\xff\x00",
        ];
        for at in 0..self.random.usize(1..4) {
            let name = hex(names[(at * 3 + self.random.usize(0..3)) % names.len()]);
            self.metric(name);
        }
        for at in 0..self.random.usize(1..4) {
            // Names of their own: a limiter of ours makes no counters of 0, which a reader would see.
            let (name, limit) = (hex(format!("c{at}").as_bytes()), self.random.i64(0..12));
            let window = self.pick(&[
                Int(10),
                Int(60),
                Int(100),
                Float(0.5),
                Float(7.3),
                Float(60.0),
                Int(3600),
            ]);
            self.say(format!("condition {name} i{limit} {}", shown(window)));
            self.conditions.push((name, limit, window.as_f64()));
        }
        self.entities = (0..4).map(|_| self.entity()).chain(["L".into()]).collect();
    }

    fn metric(&mut self, name: String) {
        let resolution = self.pick(&[
            "-",
            "i1",
            "i1",
            "i10",
            "i3",
            "f3fb999999999999a",
            "f3f50624dd2f1a9fc",
            "f3fe0000000000000",
        ]);
        let mut line = format!("metric {name} {resolution}");
        let mut sequences = Vec::new();
        for _ in 0..self.random.usize(0..4) {
            let step = self.pick(&[
                Int(1),
                Int(10),
                Int(600),
                Int(7200),
                Float(1.0),
                Float(0.1),
                Float(0.3),
                Float(2.5),
                Float(100.0 / 30.0),
            ]);
            let count = self.random.i64(1..16);
            let expiry = match step {
                Int(step) if self.random.bool() => Int(step * count),
                _ => Float(step.as_f64() * (count as f64 + self.pick(&[0.0, 0.0, 0.5, 0.1]))),
            };
            let name = self.pick(&["-", "x", "x61", "x6461793a"]);
            line += &format!(" {name} {} {}", shown(step), shown(expiry));
            sequences.push((step.as_f64(), expiry.as_f64()));
        }
        if sequences.is_empty() {
            sequences.push((600.0, 3600.0));
        }
        self.say(line);
        self.metrics.push((name, sequences));
    }

    fn entity(&mut self) -> String {
        let mut word = self.pick(&["L", "G", "l", "g"]).to_owned();
        for _ in 0..self.random.usize(0..4) {
            word.push(',');
            word += &match self.random.u8(0..7) {
                0 => format!("i{}", self.random.i64(-3..100)),
                1 => hex(b"7"),
                2 => hex(b""),
                3 => hex(b"a:b"),
                4 => hex("user name é".as_bytes()),
                5 => hex(&vec![b'e'; self.random.usize(1..220)]),
                _ => hex(&(0..self.random.usize(0..30))
                    .map(|_| self.random.u8(..))
                    .collect::<Vec<u8>>()),
            };
        }
        word
    }

    /// A time near `base`: on an edge of buckets, next to one, or anywhere; an int or a float.
    fn time(&mut self, base: f64, step: f64) -> Number {
        let edge = ((base / step).round() + self.random.i64(-3..4) as f64) * step;
        let time = match self.random.u8(0..7) {
            0 | 1 => edge,
            2 => edge.next_up(),
            3 => edge.next_down(),
            4 => edge + step / 2.0,
            5 => base,
            _ => base + (self.random.f64() - 0.5) * 4.0 * step,
        };
        if self.random.bool() {
            Int(time as i64)
        } else {
            Float(time)
        }
    }

    fn value(&mut self) -> Number {
        match self.random.u8(0..8) {
            0 => Int(1),
            1 => Int(self.random.i64(0..1000)),
            2 => Int(self.random.i64(0..1 << 50)),
            3 => Float(self.random.f64() * 100.0),
            // All but halves of the resolutions, where rounding is delicate.
            4 => Float(
                (self.random.i64(0..2000) as f64 + 0.5) * self.pick(&[1.0, 0.1, 0.001, 10.0, 0.5]),
            ),
            5 => Float((self.random.i64(0..2000) as f64 + 0.5).next_down() * 0.001),
            6 => Float(self.random.f64() * 1e15),
            _ => Float(self.random.i64(0..5) as f64),
        }
    }

    fn write_and_read(&mut self) {
        let (name, sequences) = self.pick(&self.metrics.clone());
        let step = self.pick(&sequences).0;
        let now = self.time(self.now, step);
        self.say(format!("writer {}", shown(now)));
        for _ in 0..self.random.usize(1..25) {
            match self.random.u8(0..10) {
                0 => {
                    let time = self.time(self.now, step);
                    self.say(format!("writer-time {}", shown(time)));
                }
                1 => self.say("flush".into()),
                2 if self.random.u8(0..4) == 0 => {
                    let entities = [
                        self.pick(&self.entities.clone()),
                        self.pick(&self.entities.clone()),
                    ];
                    let count = self.random.usize(0..3);
                    self.say(
                        ["reset"]
                            .into_iter()
                            .chain(entities[..count].iter().map(|e| e.as_str()))
                            .collect::<Vec<_>>()
                            .join(" "),
                    );
                }
                _ => {
                    let metric = if self.random.u8(0..3) > 0 {
                        name.clone()
                    } else {
                        self.pick(&self.metrics.clone()).0
                    };
                    let (entity, value) = (self.pick(&self.entities.clone()), self.value());
                    self.say(format!("incr {metric} {entity} {}", shown(value)));
                }
            }
        }
        self.say("flush".into());
        self.read(&name, &sequences);
        self.now += step * self.random.f64() * 5.0;
    }

    fn read(&mut self, name: &str, sequences: &[(f64, f64)]) {
        let least = sequences.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
        let most = sequences.iter().map(|s| s.0).fold(0.0, f64::max);
        let now = self.time(self.now, least);
        self.say(format!("reader {}", shown(now)));
        let mut rates = 0;
        for _ in 0..self.random.usize(1..12) {
            let entity = self.pick(&self.entities.clone());
            let (step, expiry) = self.pick(sequences);
            match self.random.u8(0..8) {
                0 | 1 => {
                    let seconds = match self.random.u8(0..4) {
                        0 => Float(expiry),
                        1 => Int(((step * self.random.i64(1..6) as f64) as i64).max(1)),
                        2 => Float(step * self.random.f64() * 3.0 + 1e-3),
                        _ => Float(step * self.random.i64(1..6) as f64),
                    };
                    self.say(format!("latest {name} {entity} {}", shown(seconds)));
                    rates += 1;
                }
                2 | 3 => {
                    let base = self.now - self.random.i64(0..20) as f64 * self.pick(&[least, most]);
                    let (a, b) = (
                        self.time(base, step.min(least * 16.0)),
                        self.time(base, step.min(least * 16.0)),
                    );
                    // None far ahead of now, where the shortest step may have to answer.
                    let ahead = |time: Number| time.as_f64() > self.now + least * 64.0;
                    if !a.equals(b) && !ahead(a) && !ahead(b) {
                        let (start, end) = if a.less_than(b) { (a, b) } else { (b, a) };
                        self.say(format!(
                            "rate {name} {entity} {} {}",
                            shown(start),
                            shown(end)
                        ));
                        rates += 1;
                    }
                }
                4 => self.say("fetch".into()),
                5 => {
                    let time = self.time(self.now, least);
                    self.say(format!("reader-time {}", shown(time)));
                }
                6 => {
                    // Written while the reader has some of it: what it read stays, what was not there is asked again.
                    let value = self.value();
                    self.say(format!("incr {name} {entity} {}", shown(value)));
                    self.say("flush".into());
                }
                _ if rates > 0 => {
                    let (what, at) = (self.pick(&["total", "per"]), self.random.usize(0..rates));
                    self.say(format!("{what} {at}"));
                }
                _ => {}
            }
        }
        for at in 0..rates {
            self.say(format!("total {at}"));
        }
    }

    fn limit(&mut self) {
        let buckets = if self.random.bool() {
            "-".into()
        } else {
            format!("i{}", self.random.i64(1..40))
        };
        let count = buckets
            .strip_prefix('i')
            .map_or(30.0, |digits| digits.parse().unwrap());
        let now = self.now;
        self.say(format!("limiter {buckets} {}", shown(Float(now))));
        for _ in 0..self.random.usize(5..50) {
            let (name, limit, window) = self.pick(&self.conditions.clone());
            let entity = self.pick(&self.entities.clone());
            let amount = self.pick(&[0, 1, 1, 1, 2, 3, limit, limit + 1]);
            match self.random.u8(0..10) {
                0..3 => {
                    self.now += window / count * self.pick(&[0.1, 1.0, 1.0, 3.0, count / 2.0]);
                    let now = self.time(self.now, window / count);
                    self.say(format!("limiter-time {}", shown(now)));
                }
                3 => self.say(format!("limit-peek {name} {entity} i{amount}")),
                4 => self.say(format!("limit-incr {name} {entity} i{amount}")),
                5..8 => self.say(format!("limit-tryIncr {name} {entity} i{amount}")),
                _ => {
                    let default = self.random.i64(0..3);
                    self.say(format!("batch i{default}"));
                    let mut conditions = self.conditions.clone();
                    self.random.shuffle(&mut conditions);
                    let count = self.random.usize(0..conditions.len() + 1);
                    for (name, ..) in conditions.into_iter().take(count) {
                        let entity = self.pick(&self.entities.clone());
                        let amount = if self.random.bool() {
                            "-".into()
                        } else {
                            format!("i{amount}")
                        };
                        self.say(format!("op {name} {entity} {amount}"));
                    }
                    let what =
                        self.pick(&["batch-tryIncr", "batch-tryIncr", "batch-peek", "batch-incr"]);
                    self.say(what.into());
                }
            }
        }
    }
}
