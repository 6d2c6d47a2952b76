//! Keys and the components of stats keys: the check agrees with its definition, and whatever components there are,
//! what writers and readers make of them are keys, as different as the components.

use super::Feed;
use std::rc::Rc;
use wrstats::client::config::LongKeys;
use wrstats::client::input::{Input, InputKey};
use wrstats::protocol::key::{MAX_LEN, Parts, is_bad, scan};
use wrstats::stats::catalog::{Catalog, Host, Naming};
use wrstats::stats::entity::Component;
use wrstats::stats::key::KeyStyle;
use wrstats::stats::number::{Number, Rounding};
use wrstats::stats::spec::Specs;
use wrstats::stats::store::{Increments, KeyParts, Keys, Store};
use wrstats::stats::writer::Writer;

pub fn run(data: &[u8]) {
    let mut feed = Feed(data);
    let head = &[b'h'; MAX_LEN][..usize::from(feed.byte()) % MAX_LEN];
    check_agrees(head, feed.bytes());

    let style = KeyStyle {
        keyspace: [b'k'; 128][..1 + usize::from(feed.byte() & 127)].into(),
        long_keys: if feed.byte() & 1 == 0 {
            LongKeys::MediaWiki139
        } else {
            LongKeys::MediaWiki145
        },
        room: MAX_LEN - head.len(),
    };
    let (metric, prefix) = (feed.bytes(), feed.bytes());
    let entities = [(); 2].map(|()| {
        (
            feed.byte() & 1 == 1,
            (0..feed.byte() & 3)
                .map(|_| feed.bytes())
                .collect::<Vec<_>>(),
        )
    });
    let keys = entities
        .each_ref()
        .map(|(global, list)| written(&style, prefix, metric, *global, list));
    for key in keys.iter().flatten() {
        assert_eq!(
            Parts {
                head: head.into(),
                key
            }
            .check(),
            Ok(()),
            "{}",
            key.escape_ascii()
        );
        assert!(key.starts_with(b"k") || key.starts_with(b"global:"));
    }
    // MediaWiki makes underscores of spaces; everything else stays apart. (A keyspace of "k…" is never "global".)
    let same = spaceless(&entities[0]) == spaceless(&entities[1]);
    if let [Some(one), Some(other)] = &keys {
        assert_eq!(one == other, same, "{} of {entities:?}", one.escape_ascii());
    }
}

fn spaceless((global, components): &(bool, Vec<&[u8]>)) -> (bool, Vec<Vec<u8>>) {
    let spaceless = |&byte: &u8| if byte == b' ' { b'_' } else { byte };
    let components = components.iter();
    let components = components.map(|component| component.iter().map(spaceless).collect());
    (*global, components.collect())
}

fn check_agrees(head: &[u8], key: &[u8]) {
    let wire = [head, key].concat();
    let good = !key.is_empty() && wire.len() <= MAX_LEN && !key.iter().any(|&byte| is_bad(byte));
    let outcome = Parts {
        head: head.into(),
        key,
    }
    .check();
    assert_eq!(outcome.is_ok(), good, "{outcome:?}");
    if let Err(error) = outcome {
        assert!(!error.to_string().contains(char::is_control));
    }
    let mut copy = vec![0; wire.len()];
    let hash = Parts {
        head: head.into(),
        key,
    }
    .scan_into(&mut copy);
    assert_eq!(copy, wire);
    assert_eq!(hash, scan(&wire), "however the key is cut in two");
    assert_eq!(hash.is_some(), !key.iter().any(|&byte| is_bad(byte)));
}

/// The one key that a writer writes to; `None`: refused, as it would be too long.
fn written(
    style: &KeyStyle,
    prefix: &[u8],
    metric: &[u8],
    global: bool,
    entity: &[&[u8]],
) -> Option<Vec<u8>> {
    let specs = Input::Array(vec![(
        InputKey::Bytes(metric.into()),
        Input::Array(Vec::new()),
    )]);
    let specs = Specs::parse(&specs).expect("good specs");
    let host = Host {
        clock: || Number::Int(1_790_000_000),
        rounding: Rounding::plain(),
    };
    let catalog =
        Catalog::new(specs, &[prefix], Naming::Native(style.clone()), host).expect("a prefix");
    let mut writer = Writer::new(Rc::new(catalog), None).expect("a clock");
    let components: Vec<_> = entity
        .iter()
        .map(|&bytes| Component::Bytes(bytes))
        .collect();
    let id = writer.entity(global, &components, 0);
    writer.incr(metric.into(), id, Number::Int(1)).ok()?;
    let mut store = Seen::default();
    writer.flush(&mut store).expect("a store that takes all");
    assert_eq!(store.0.len(), 1);
    store.0.pop()
}

/// Keeps the keys.
#[derive(Default)]
pub struct Seen(pub Vec<Vec<u8>>);

impl Store for Seen {
    type Error = std::convert::Infallible;

    fn make_key(&mut self, _: &KeyParts<'_>, _: &mut Vec<u8>) -> Result<(), Self::Error> {
        unreachable!("keys are made natively")
    }

    fn incr(&mut self, increments: &Increments) -> Result<(), Self::Error> {
        self.0.extend(increments.keys.iter().map(<[u8]>::to_vec));
        Ok(())
    }

    fn take_back(&mut self, _: &Increments) -> Result<(), Self::Error> {
        Ok(())
    }

    fn delete(&mut self, keys: &Keys) -> Result<(), Self::Error> {
        self.0.extend(keys.iter().map(<[u8]>::to_vec));
        Ok(())
    }

    fn query(&mut self, keys: &Keys, _: &mut dyn FnMut(usize, Number)) -> Result<(), Self::Error> {
        self.0.extend(keys.iter().map(<[u8]>::to_vec));
        Ok(())
    }
}
