//! Metric specs: what each metric's steps are, and in which sequences of time buckets it is kept.

use super::error::{Invalid, shown};
use super::number::Number;
use super::place::Place;
use crate::client::input::Input;

/// Seconds a bucket covers unless the spec says otherwise.
const DEFAULT_TIME_STEP: Number = Number::Int(600);
/// Seconds for which a sequence can answer unless the spec says otherwise.
const DEFAULT_EXPIRY: Number = Number::Int(3600);
/// Shortest bucket, in seconds: below the clock's own microsecond there is nothing to tell apart.
const MIN_TIME_STEP: f64 = 1e-6;
/// Longest life of a bucket, in seconds: what every store can express.
pub(super) const MAX_TTL: u32 = i32::MAX as u32;

/// One chain of time buckets of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// The key component between metric and bucket; often empty.
    pub name: Vec<u8>,
    /// Seconds that one bucket covers; above 0.
    pub time_step: Number,
    /// How many seconds back this sequence can answer; above 0.
    pub expiry: Number,
    /// Seconds for which the store keeps a bucket: expiry and one step, rounded up.
    pub ttl: u32,
}

impl Sequence {
    /// A sequence whose numbers are known to be finite and above 0; `at` is where they came from.
    ///
    /// # Errors
    /// When the step is too short or a bucket would have to live too long.
    pub(super) fn new(
        name: Vec<u8>,
        time_step: Number,
        expiry: Number,
        at: &Place<'_>,
    ) -> Result<Sequence, Invalid> {
        if time_step.as_f64() < MIN_TIME_STEP {
            return Err(at.must("have a time step of at least 0.000001 seconds"));
        }
        let ttl = (expiry + time_step).ceil().as_f64();
        if ttl > f64::from(MAX_TTL) {
            return Err(at.must("expire within 2147483647 seconds, time step included"));
        }
        Ok(Sequence {
            name,
            time_step,
            expiry,
            ttl: ttl as u32,
        })
    }
}

/// A metric's spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The metric's name, also a key component.
    pub name: Vec<u8>,
    /// What one unit in the store is worth; above 0. Totals are ints where this is one.
    pub resolution: Number,
    /// At least one; those that expire first come first, which is the order in which a reader tries them.
    pub sequences: Vec<Sequence>,
}

/// Parsed and checked metric specs, in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Specs {
    /// Names are distinct.
    pub metrics: Vec<Metric>,
}

impl Specs {
    /// Parses `name => ['resolution' => 1, 'sequences' => [['name' => '', 'timeStep' => 600, 'expiry' => 3600], …]]`,
    /// where everything within the outer array may be left out; 'type' may be there and be "counter".
    ///
    /// # Errors
    /// Names the first bad entry by its path.
    pub fn parse(specs: &Input) -> Result<Specs, Invalid> {
        let root = Place::root("specs", specs);
        let entries = root.entries("an array of metric specs")?;
        let mut metrics = Vec::with_capacity(entries.len());
        for (key, place) in entries {
            metrics.push(metric(key.name().into_owned(), &place)?);
        }
        Ok(Specs { metrics })
    }
}

fn metric(name: Vec<u8>, place: &Place<'_>) -> Result<Metric, Invalid> {
    let mut resolution = Number::Int(1);
    let mut sequences = Vec::new();
    for (key, entry) in place.entries("an array")? {
        match &*key.name() {
            b"timeStep" | b"expiry" if !entry.is_null() => {
                return Err(entry.must("be given within \"sequences\", for each of them"));
            }
            _ if entry.is_null() => {}
            b"type" if *entry.text()? == *b"counter" => {}
            b"type" => return Err(entry.must("be \"counter\"")),
            b"resolution" => resolution = entry.positive("a finite int or float above 0")?,
            b"sequences" => sequences = self::sequences(&entry)?,
            other => return Err(entry.must(&unknown(other, "type, resolution, sequences"))),
        }
    }
    if sequences.is_empty() {
        sequences.push(Sequence::new(
            Vec::new(),
            DEFAULT_TIME_STEP,
            DEFAULT_EXPIRY,
            place,
        )?);
    }
    Ok(Metric {
        name,
        resolution,
        sequences,
    })
}

fn sequences(place: &Place<'_>) -> Result<Vec<Sequence>, Invalid> {
    let entries = place.entries("an array of sequences")?;
    let mut found: Vec<Sequence> = Vec::with_capacity(entries.len());
    for (index, entry) in entries {
        let mut sequence = sequence(&entry)?;
        // As MediaWiki names them, whose keys these are: the index is that of the array, until the name is new.
        while found.iter().any(|earlier| earlier.name == sequence.name) {
            sequence.name.push(b's');
            sequence.name.extend_from_slice(&index.name());
        }
        found.push(sequence);
    }
    found.sort_by_key(|sequence| sequence.ttl);
    Ok(found)
}

fn sequence(place: &Place<'_>) -> Result<Sequence, Invalid> {
    let (mut name, mut time_step, mut expiry) = (Vec::new(), DEFAULT_TIME_STEP, DEFAULT_EXPIRY);
    for (key, entry) in place.entries("an array")? {
        match &*key.name() {
            _ if entry.is_null() => {}
            b"name" => name = entry.text()?.into_owned(),
            b"timeStep" => time_step = entry.positive("a finite number of seconds above 0")?,
            b"expiry" => expiry = entry.positive("a finite number of seconds above 0")?,
            other => return Err(entry.must(&unknown(other, "name, timeStep, expiry"))),
        }
    }
    Sequence::new(name, time_step, expiry, place)
}

/// The rest of a complaint about a key that nobody knows; `known` lists those that are.
pub(super) fn unknown(key: &[u8], known: &str) -> String {
    format!("not be there: \"{}\" is none of {known}", shown(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::input::InputKey;

    fn map(entries: Vec<(&str, Input)>) -> Input {
        Input::Array(
            entries
                .into_iter()
                .map(|(k, v)| (InputKey::Bytes(k.into()), v))
                .collect(),
        )
    }
    fn list(entries: Vec<Input>) -> Input {
        Input::Array(
            entries
                .into_iter()
                .enumerate()
                .map(|(i, v)| (InputKey::Int(i as i64), v))
                .collect(),
        )
    }
    fn text(value: &str) -> Input {
        Input::Bytes(value.into())
    }

    #[test]
    fn everything_may_be_left_out_or_null() {
        let want = Sequence {
            name: vec![],
            time_step: Number::Int(600),
            expiry: Number::Int(3600),
            ttl: 4200,
        };
        for spec in [
            map(vec![]),
            map(vec![
                ("sequences", list(vec![])),
                ("resolution", Input::Null),
                ("timeStep", Input::Null),
            ]),
            map(vec![(
                "sequences",
                list(vec![map(vec![
                    ("name", Input::Null),
                    ("expiry", Input::Null),
                ])]),
            )]),
            map(vec![("type", text("counter"))]),
        ] {
            let specs = Specs::parse(&map(vec![("hits", spec)])).unwrap();
            assert_eq!(specs.metrics[0].resolution, Number::Int(1));
            assert_eq!(specs.metrics[0].sequences, vec![want.clone()]);
        }
        assert_eq!(Specs::parse(&list(vec![])).unwrap().metrics, vec![]);
    }

    #[test]
    fn sequences_come_in_order_of_expiry_and_get_names_of_their_own() {
        let seq = |step: i64, expiry: f64| {
            map(vec![
                ("timeStep", Input::Int(step)),
                ("expiry", Input::Float(expiry)),
                ("name", text("")),
            ])
        };
        let spec = list(vec![
            seq(10, 100.5),
            seq(5, 20.0),
            map(vec![("name", text("s1"))]),
            seq(5, 20.0),
            seq(1, 23.5),
        ]);
        let specs = Specs::parse(&map(vec![("hits", map(vec![("sequences", spec)]))])).unwrap();
        let got: Vec<(&str, u32)> = specs.metrics[0]
            .sequences
            .iter()
            .map(|s| (std::str::from_utf8(&s.name).unwrap(), s.ttl))
            .collect();
        // The second is "" again and becomes "s1", so that the third, named so, gets "s2" behind it.
        assert_eq!(
            got,
            [
                ("s1", 25),
                ("s3", 25),
                ("s4", 25),
                ("", 111),
                ("s1s2", 4200)
            ]
        );
    }

    #[test]
    fn names_are_bytes_and_int_keys_their_digits() {
        let specs = Specs::parse(&Input::Array(vec![
            (InputKey::Int(7), map(vec![])),
            (InputKey::Bytes(vec![0xff, 0]), map(vec![])),
        ]));
        let names: Vec<Vec<u8>> = specs.unwrap().metrics.into_iter().map(|m| m.name).collect();
        assert_eq!(names, [b"7".to_vec(), vec![0xff, 0]]);
    }

    #[test]
    fn every_bad_entry_is_named_by_its_path() {
        let hits = |spec: Input| map(vec![("hits", spec)]);
        let seq = |spec: Input| {
            map(vec![(
                "hits",
                map(vec![("sequences", list(vec![map(vec![]), spec]))]),
            )])
        };
        for (specs, want) in [
            (
                Input::Int(5),
                "specs must be an array of metric specs, 5 given",
            ),
            (
                hits(text("x")),
                "specs[\"hits\"] must be an array, \"x\" given",
            ),
            (
                hits(map(vec![("timeStep", Input::Int(5))])),
                "specs[\"hits\"][\"timeStep\"] must be given within \"sequences\", for each of them",
            ),
            (
                hits(map(vec![("expiry", Input::Int(5))])),
                "specs[\"hits\"][\"expiry\"] must be given within \"sequences\", for each of them",
            ),
            (
                hits(map(vec![("resolution", text("0.1"))])),
                "specs[\"hits\"][\"resolution\"] must be a finite int or float above 0, \"0.1\" given",
            ),
            (
                hits(map(vec![("resolution", Input::Float(f64::INFINITY))])),
                "specs[\"hits\"][\"resolution\"] must be a finite int or float above 0, INF given",
            ),
            (
                hits(map(vec![("type", text("gauge"))])),
                "specs[\"hits\"][\"type\"] must be \"counter\"",
            ),
            (
                hits(map(vec![("Sequences", list(vec![]))])),
                "specs[\"hits\"][\"Sequences\"] must not be there: \"Sequences\" is none of type, resolution, sequences",
            ),
            (
                hits(map(vec![("sequences", Input::Int(3))])),
                "specs[\"hits\"][\"sequences\"] must be an array of sequences, 3 given",
            ),
            (
                seq(Input::Int(3)),
                "specs[\"hits\"][\"sequences\"][1] must be an array, 3 given",
            ),
            (
                seq(map(vec![("timeStep", Input::Int(0))])),
                "specs[\"hits\"][\"sequences\"][1][\"timeStep\"] must be a finite number of seconds above 0, 0 given",
            ),
            (
                seq(map(vec![("expiry", Input::Float(f64::NAN))])),
                "specs[\"hits\"][\"sequences\"][1][\"expiry\"] must be a finite number of seconds above 0, NAN given",
            ),
            (
                seq(map(vec![("expiry", Input::Float(-0.5))])),
                "specs[\"hits\"][\"sequences\"][1][\"expiry\"] must be a finite number of seconds above 0, -0.5 given",
            ),
            (
                seq(map(vec![("timeStep", Input::Float(1e-9))])),
                "specs[\"hits\"][\"sequences\"][1] must have a time step of at least 0.000001 seconds",
            ),
            (
                seq(map(vec![("expiry", Input::Int(i64::MAX))])),
                "specs[\"hits\"][\"sequences\"][1] must expire within 2147483647 seconds, time step included",
            ),
            (
                seq(map(vec![("name", list(vec![]))])),
                "specs[\"hits\"][\"sequences\"][1][\"name\"] must be a string, array given",
            ),
            (
                seq(map(vec![("step", Input::Int(3))])),
                "specs[\"hits\"][\"sequences\"][1][\"step\"] must not be there: \"step\" is none of name, timeStep, expiry",
            ),
        ] {
            assert_eq!(Specs::parse(&specs).unwrap_err().to_string(), want);
        }
    }
}
