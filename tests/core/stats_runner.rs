//! Runs scenarios (see tests/support/wrstats_oracle.php for their commands) on this crate's stats.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::rc::Rc;

use wrstats::client::config::LongKeys;
use wrstats::client::input::{Input, InputKey};
use wrstats::stats::batch::Batch;
use wrstats::stats::bucket::TimeRange;
use wrstats::stats::catalog::{Catalog, Host, MetricName, Naming};
use wrstats::stats::condition::Conditions;
use wrstats::stats::entity::{Component, EntityId};
use wrstats::stats::key::KeyStyle;
use wrstats::stats::limit_result::BatchResult;
use wrstats::stats::limiter::{Intent, Limiter};
use wrstats::stats::number::Number;
use wrstats::stats::rate::Rate;
use wrstats::stats::reader::Reader;
use wrstats::stats::spec::Specs;
use wrstats::stats::store::{Increments, KeyParts, Keys, MapStore, Store};
use wrstats::stats::writer::Writer;

/// Remembers what was done to a map.
struct RecordingStore {
    map: MapStore,
    increments: BTreeMap<(String, u32), u64>,
    others: BTreeSet<String>,
}

impl Store for RecordingStore {
    type Error = Infallible;

    fn make_key(&mut self, parts: &KeyParts<'_>, out: &mut Vec<u8>) -> Result<(), Infallible> {
        self.map.make_key(parts, out)
    }

    fn incr(&mut self, increments: &Increments) -> Result<(), Infallible> {
        for (key, amount) in increments.iter() {
            *self
                .increments
                .entry((text(key), increments.ttl))
                .or_default() += amount;
        }
        self.map.incr(increments)
    }

    fn take_back(&mut self, increments: &Increments) -> Result<(), Infallible> {
        self.map.take_back(increments)
    }

    fn delete(&mut self, keys: &Keys) -> Result<(), Infallible> {
        self.others
            .extend(keys.iter().map(|key| format!("-{}", text(key))));
        self.map.delete(keys)
    }

    fn query(
        &mut self,
        keys: &Keys,
        found: &mut dyn FnMut(usize, Number),
    ) -> Result<(), Infallible> {
        self.others
            .extend(keys.iter().map(|key| format!("?{}", text(key))));
        self.map.query(keys, found)
    }
}

impl RecordingStore {
    fn report(&mut self) -> Vec<String> {
        let increments = std::mem::take(&mut self.increments).into_iter();
        let increments = increments.map(|((key, ttl), sum)| format!("+{key}={sum}/{ttl}"));
        let mut done: Vec<String> = increments.chain(std::mem::take(&mut self.others)).collect();
        done.sort();
        done
    }
}

fn text(key: &[u8]) -> String {
    String::from_utf8(key.to_vec()).unwrap()
}

/// The scenario that is being run.
pub struct Runner {
    host: Host,
    store: RecordingStore,
    naming: Naming,
    prefix: Vec<Vec<u8>>,
    specs: Vec<(InputKey, Input)>,
    conditions: Vec<(InputKey, Input)>,
    writer: Option<Writer>,
    reader: Option<Reader>,
    rates: Vec<Rate>,
    limiter: Option<Limiter>,
    batch: Option<Batch>,
    default_amount: i64,
}

impl Runner {
    /// `native`: this crate makes the keys, else the store does.
    pub fn new(host: Host, native: bool) -> Runner {
        let style = KeyStyle {
            keyspace: b"local"[..].into(),
            long_keys: LongKeys::MediaWiki139,
            room: 250,
        };
        Runner {
            host,
            naming: if native {
                Naming::Native(style.clone())
            } else {
                Naming::ByStore
            },
            store: RecordingStore {
                map: MapStore::new(style),
                increments: BTreeMap::new(),
                others: BTreeSet::new(),
            },
            prefix: Vec::new(),
            specs: Vec::new(),
            conditions: Vec::new(),
            writer: None,
            reader: None,
            rates: Vec::new(),
            limiter: None,
            batch: None,
            default_amount: 1,
        }
    }

    fn catalog(&self) -> Rc<Catalog> {
        let specs = Specs::parse(&Input::Array(self.specs.clone())).unwrap();
        let prefix: Vec<&[u8]> = self.prefix.iter().map(Vec::as_slice).collect();
        Rc::new(Catalog::new(specs, &prefix, self.naming.clone(), self.host).unwrap())
    }

    /// Runs one command; its outcomes.
    pub fn run(&mut self, line: &str) -> Vec<String> {
        let words: Vec<&str> = line.split(' ').collect();
        let (command, args) = words.split_first().unwrap();
        let arg_number = |index: usize| number(args[index]);
        match *command {
            "scenario" => self.prefix = args.iter().map(|word| bytes(word)).collect(),
            "metric" => self
                .specs
                .push((InputKey::Bytes(bytes(args[0])), metric(&args[1..]))),
            "condition" => self.conditions.push((
                InputKey::Bytes(bytes(args[0])),
                map(&[("limit", args[1]), ("window", args[2])]),
            )),
            "writer" => {
                self.writer = Some(Writer::new(self.catalog(), Some(arg_number(0))).unwrap())
            }
            "writer-time" => self
                .writer
                .as_mut()
                .unwrap()
                .set_current_time(arg_number(0))
                .unwrap(),
            "incr" => {
                let (metric, writer) = (bytes(args[0]), self.writer.as_mut().unwrap());
                let entity = with_entity(args[1], |global, parts| writer.entity(global, parts, 0));
                writer
                    .incr(MetricName::from(metric.as_slice()), entity, arg_number(2))
                    .unwrap();
            }
            "flush" => {
                self.writer
                    .as_mut()
                    .unwrap()
                    .flush(&mut self.store)
                    .unwrap();
                return self.store.report();
            }
            "reset" => {
                let words = if args.is_empty() { &["L"][..] } else { args };
                let owned: Vec<(bool, Vec<Vec<u8>>)> =
                    words.iter().map(|word| entity(word)).collect();
                let parts: Vec<(bool, Vec<Component<'_>>)> = owned
                    .iter()
                    .map(|(global, parts)| (*global, components(parts)))
                    .collect();
                let entities: Vec<(bool, &[Component<'_>])> = parts
                    .iter()
                    .map(|(global, parts)| (*global, parts.as_slice()))
                    .collect();
                self.writer
                    .as_mut()
                    .unwrap()
                    .reset_all(&mut self.store, &entities)
                    .unwrap();
                return self.store.report();
            }
            "reader" => {
                self.reader = Some(Reader::new(self.catalog(), Some(arg_number(0))).unwrap());
                self.rates.clear();
            }
            "reader-time" => self
                .reader
                .as_mut()
                .unwrap()
                .set_current_time(arg_number(0))
                .unwrap(),
            "latest" | "rate" => {
                let (metric, reader) = (bytes(args[0]), self.reader.as_mut().unwrap());
                let entity = with_entity(args[1], |global, parts| reader.entity(global, parts, 0));
                let range = match *command {
                    "latest" => reader.latest(arg_number(2)),
                    _ => TimeRange::new(arg_number(2), arg_number(3)),
                };
                let metric = MetricName::from(metric.as_slice());
                self.rates
                    .push(reader.get_rate(metric, entity, range.unwrap()).unwrap());
            }
            "fetch" => {
                self.reader
                    .as_mut()
                    .unwrap()
                    .fetch(&mut self.store)
                    .unwrap();
                return self.store.report();
            }
            "total" | "per" => {
                let reader = self.reader.as_mut().unwrap();
                let rate = &mut self.rates[args[0].parse::<usize>().unwrap()];
                let numbers = match *command {
                    "total" => vec![rate.total(reader, &mut self.store).unwrap()],
                    _ => [1, 60, 3600, 86400]
                        .map(|seconds| rate.per(seconds, reader, &mut self.store).unwrap().into())
                        .to_vec(),
                };
                return numbers
                    .into_iter()
                    .map(shown)
                    .chain(self.store.report())
                    .collect();
            }
            "limiter" => {
                let options = map(&[("bucketCount", args[0])]);
                let prefix: Vec<&[u8]> = self.prefix.iter().map(Vec::as_slice).collect();
                let conditions = Input::Array(self.conditions.clone());
                let conditions = Conditions::parse(
                    &conditions,
                    &options,
                    &prefix,
                    self.naming.clone(),
                    self.host,
                );
                self.limiter =
                    Some(Limiter::new(Rc::new(conditions.unwrap()), Some(arg_number(1))).unwrap());
            }
            "limiter-time" => self
                .limiter
                .as_mut()
                .unwrap()
                .set_current_time(arg_number(0))
                .unwrap(),
            "limit-peek" | "limit-tryIncr" | "limit-incr" => {
                let conditions = self.limiter.as_ref().unwrap().conditions().clone();
                let mut batch = Batch::new(&conditions);
                with_entity(args[1], |global, parts| {
                    batch
                        .direct(
                            &conditions,
                            &bytes(args[0]),
                            global,
                            parts,
                            arg_number(2).to_int(),
                        )
                        .unwrap();
                    EntityId::NONE
                });
                return self.limit(&command[6..], &batch);
            }
            "batch" => {
                self.batch = Some(Batch::new(self.limiter.as_ref().unwrap().conditions()));
                self.default_amount = arg_number(0).to_int();
            }
            "op" => {
                let conditions = self.limiter.as_ref().unwrap().conditions().clone();
                let amount = if args[2] == "-" {
                    self.default_amount
                } else {
                    arg_number(2).to_int()
                };
                let batch = self.batch.as_mut().unwrap();
                with_entity(args[1], |global, parts| {
                    batch
                        .operation(&conditions, &bytes(args[0]), global, parts, amount)
                        .unwrap();
                    EntityId::NONE
                });
            }
            "batch-peek" | "batch-tryIncr" | "batch-incr" => {
                let batch = self.batch.take().unwrap();
                let outcomes = self.limit(&command[6..], &batch);
                self.batch = Some(batch);
                return outcomes;
            }
            other => panic!("no such command: {other}"),
        }
        Vec::new()
    }

    fn limit(&mut self, method: &str, batch: &Batch) -> Vec<String> {
        let limiter = self.limiter.as_ref().unwrap();
        let intent = match method {
            "peek" => Intent::Peek,
            "tryIncr" => Intent::TryIncr,
            _ => {
                limiter.incr(&mut self.store, batch).unwrap();
                return self.store.report();
            }
        };
        let BatchResult { results } = limiter.run(&mut self.store, batch, intent).unwrap();
        let shown = results.iter().map(|result| {
            let name = &limiter.conditions().list()[result.condition as usize].name;
            let allowed = u8::from(result.is_allowed());
            format!(
                "{}={},{},{allowed}",
                hex(name),
                result.prev_total,
                result.new_total
            )
        });
        shown.chain(self.store.report()).collect()
    }
}

fn map(entries: &[(&str, &str)]) -> Input {
    let given = entries.iter().filter(|(_, word)| *word != "-");
    Input::Array(
        given
            .map(|(key, word)| (InputKey::Bytes((*key).into()), input(word)))
            .collect(),
    )
}

fn metric(words: &[&str]) -> Input {
    let sequences = words[1..]
        .chunks(3)
        .map(|w| map(&[("name", w[0]), ("timeStep", w[1]), ("expiry", w[2])]));
    let sequences = sequences
        .enumerate()
        .map(|(i, sequence)| (InputKey::Int(i as i64), sequence));
    let Input::Array(mut entries) = map(&[("resolution", words[0])]) else {
        unreachable!()
    };
    entries.push((
        InputKey::Bytes(b"sequences".to_vec()),
        Input::Array(sequences.collect()),
    ));
    Input::Array(entries)
}

fn input(word: &str) -> Input {
    match word.as_bytes()[0] {
        b'x' => Input::Bytes(bytes(word)),
        _ => match number(word) {
            Number::Int(i) => Input::Int(i),
            Number::Float(f) => Input::Float(f),
        },
    }
}

/// A number as scenarios write it.
pub fn shown(number: Number) -> String {
    match number {
        Number::Int(i) => format!("i{i}"),
        Number::Float(f) => format!("f{:016x}", f.to_bits()),
    }
}

/// A number that a scenario wrote.
pub fn number(word: &str) -> Number {
    match word.split_at(1) {
        ("i", digits) => Number::Int(digits.parse().unwrap()),
        (_, bits) => Number::Float(f64::from_bits(u64::from_str_radix(bits, 16).unwrap())),
    }
}

/// Bytes as scenarios write them.
pub fn hex(bytes: &[u8]) -> String {
    std::iter::once("x".into())
        .chain(bytes.iter().map(|byte| format!("{byte:02x}")))
        .collect()
}

/// Bytes that a scenario wrote; an int as its digits.
fn bytes(word: &str) -> Vec<u8> {
    if let Some(digits) = word.strip_prefix('i') {
        return digits.as_bytes().to_vec();
    }
    (1..word.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&word[at..at + 2], 16).unwrap())
        .collect()
}

/// Whether it is global, and its components; as far as this crate is concerned keys of components are no matter.
fn entity(word: &str) -> (bool, Vec<Vec<u8>>) {
    let mut parts = word.split(',');
    (
        parts.next().unwrap().eq_ignore_ascii_case("g"),
        parts.map(bytes).collect(),
    )
}

/// Components as callers give them: what looks like an int comes as one.
fn components(parts: &[Vec<u8>]) -> Vec<Component<'_>> {
    let component = |part| match std::str::from_utf8(part)
        .ok()
        .and_then(|text| text.parse::<i64>().ok())
    {
        Some(int) if int.to_string().as_bytes() == part => Component::Int(int),
        _ => Component::Bytes(part),
    };
    parts
        .iter()
        .map(|part| component(part.as_slice()))
        .collect()
}

fn with_entity(word: &str, then: impl FnOnce(bool, &[Component<'_>]) -> EntityId) -> EntityId {
    let (global, parts) = entity(word);
    then(global, &components(&parts))
}
