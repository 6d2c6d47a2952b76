//! Where the counters of writers, readers and rate limiters are kept: the client's servers, or an object of PHP code
//! with the methods of MediaWiki's `StatsStore`.
//!
//! Whoever calls a [`PhpStore`] holds no borrow of an object's state: the PHP code may use the same objects, from
//! another fiber for instance.

use super::entity_key::{Component, EntityKey};
use super::stats_entity::{GLOBAL_KEY, LOCAL_KEY};
use super::zend::{
    AnyValue, Argument, Held, New, NewArray, ObjectValue, Thrown, View, Visitor, instantiate,
};
use crate::stats::entity::{EntityId, EntityView};
use crate::stats::number::Number;
use crate::stats::remote::Remote;
use crate::stats::store::{Increments, KeyParts, Keys, Store};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The store of a handle, shared by all that it makes.
#[derive(Clone)]
pub enum Backing {
    /// The client's. Never borrowed while PHP code may run.
    Client(Rc<RefCell<Remote>>),
    /// An object with `makeKey`, `incr`, `delete` and `query`.
    Php(Held<ObjectValue>),
}

impl Backing {
    /// Reports what it holds.
    pub fn held(&self, visit: &mut Visitor) {
        if let Backing::Php(store) = self {
            visit.visit(store);
        }
    }
}

/// The entity objects that a PHP store gets to see, by the entities' numbers: those that the caller passed, and in
/// place of null and arrays ones made when first needed.
#[derive(Clone, Default)]
pub struct EntityObjects(Vec<Option<Held<ObjectValue>>>);

impl EntityObjects {
    /// Keeps the object that an entity came as. The first of several that are the same entity stays.
    pub fn keep(&mut self, id: EntityId, object: Held<ObjectValue>) {
        if self.0.len() <= id.index() {
            self.0.resize_with(id.index() + 1, || None);
        }
        self.0[id.index()].get_or_insert(object);
    }

    /// Reports what it holds.
    pub fn held(&self, visit: &mut Visitor) {
        self.0
            .iter()
            .flatten()
            .for_each(|object| visit.visit(object));
    }

    /// The object for an entity.
    fn object(&mut self, entity: &EntityView<'_>) -> Result<Held<ObjectValue>, Thrown> {
        let known = self.0.get(entity.id().index()).and_then(Option::as_ref);
        if let Some(object) = known {
            return Ok(object.clone());
        }
        let object = make(entity)?;
        self.keep(entity.id(), object.clone());
        Ok(object)
    }
}

/// Implementations of MediaWiki's `StatsStore` may want its own entity classes; where it isn't there, nobody can.
fn make(entity: &EntityView<'_>) -> Result<Held<ObjectValue>, Thrown> {
    let mut components = NewArray::with_capacity(1);
    entity.components().for_each(|text| components.push(text));
    let class = if entity.is_global() {
        GLOBAL_KEY
    } else {
        LOCAL_KEY
    };
    if let Some(object) = instantiate(class, &[Argument::New(&components)])? {
        return Ok(object);
    }
    let component = |text| Component::Str(Held::copy_of(text));
    Ok(New(EntityKey {
        components: entity.components().map(component).collect(),
        global: entity.is_global(),
    })
    .hold())
}

/// An object of PHP code as a store. Its exceptions pass through.
pub struct PhpStore<'a> {
    /// The object.
    pub object: &'a Held<ObjectValue>,
    /// The entities that it may be asked about.
    pub entities: &'a mut EntityObjects,
}

impl PhpStore<'_> {
    fn call(&self, method: &str, arguments: &[Argument<'_>]) -> Result<Held<AnyValue>, Thrown> {
        self.object.object().call(method, arguments)
    }

    /// `incr(array $values, $ttl)`, with the amounts multiplied by `sign`.
    fn add(&self, increments: &Increments, sign: i64) -> Result<(), Thrown> {
        // The same key twice has to be one element.
        let mut index_of: HashMap<&[u8], usize> = HashMap::with_capacity(increments.keys.len());
        let mut sums: Vec<(&[u8], i64)> = Vec::with_capacity(increments.keys.len());
        for (key, amount) in increments.iter() {
            let amount = i64::try_from(amount).unwrap_or(i64::MAX);
            let index = *index_of.entry(key).or_insert(sums.len());
            match sums.get_mut(index) {
                Some((_, sum)) => *sum = sum.saturating_add(amount),
                None => sums.push((key, amount)),
            }
        }
        let mut values = NewArray::with_capacity(sums.len());
        for (key, sum) in sums {
            values.insert(key, sum * sign);
        }
        let ttl = Argument::View(View::Int(increments.ttl.into()));
        self.call("incr", &[Argument::New(&values), ttl]).map(drop)
    }

    #[cold]
    fn wrong_answer(&self, method: &str, expected: &str, answer: View<'_>) -> Thrown {
        let class = View::Object(self.object.object()).type_name();
        Thrown::type_error(format!(
            "{class}::{method}(): Return value must be of type {expected}, {} returned",
            answer.type_name()
        ))
    }
}

impl Store for PhpStore<'_> {
    type Error = Thrown;

    fn make_key(&mut self, parts: &KeyParts<'_>, out: &mut Vec<u8>) -> Result<(), Thrown> {
        let mut prefix = NewArray::with_capacity(parts.prefix.len());
        for component in parts.prefix {
            prefix.push(&component[..]);
        }
        let mut internals = NewArray::with_capacity(3);
        internals.push(parts.metric);
        internals.push(parts.sequence);
        internals.push(parts.bucket);
        let entity = self.entities.object(&parts.entity)?;
        let arguments = [
            Argument::New(&prefix),
            Argument::New(&internals),
            Argument::View(View::Object(entity.object())),
        ];
        let key = self.call("makeKey", &arguments)?;
        match key.view() {
            View::Str(key) => out.extend_from_slice(key.bytes()),
            View::Int(key) => out.extend_from_slice(key.to_string().as_bytes()),
            other => return Err(self.wrong_answer("makeKey", "string", other)),
        }
        Ok(())
    }

    fn incr(&mut self, increments: &Increments) -> Result<(), Thrown> {
        self.add(increments, 1)
    }

    fn take_back(&mut self, increments: &Increments) -> Result<(), Thrown> {
        self.add(increments, -1)
    }

    fn delete(&mut self, keys: &Keys) -> Result<(), Thrown> {
        self.call("delete", &[Argument::New(&list(keys))]).map(drop)
    }

    fn query(&mut self, keys: &Keys, found: &mut dyn FnMut(usize, Number)) -> Result<(), Thrown> {
        let answer = self.call("query", &[Argument::New(&list(keys))])?;
        let View::Array(values) = answer.view() else {
            return Err(self.wrong_answer("query", "array", answer.view()));
        };
        for (index, key) in keys.iter().enumerate() {
            let Some(value) = values.find(key) else {
                continue;
            };
            match value.view() {
                View::Int(value) => found(index, Number::Int(value)),
                View::Float(value) if value.is_finite() => found(index, Number::Float(value)),
                // What BagOStuff answers for keys that aren't there, and memcached for counters.
                View::Null | View::Bool(false) => {}
                View::Str(text) if number(text.bytes()).is_some() => {
                    found(index, number(text.bytes()).unwrap_or(Number::ZERO));
                }
                other => return Err(self.wrong_answer("query", "int[]", other)),
            }
        }
        Ok(())
    }
}

fn list(keys: &Keys) -> NewArray {
    let mut array = NewArray::with_capacity(keys.len());
    keys.iter().for_each(|key| array.push(key));
    array
}

/// A counter as text, which memcached may have padded with spaces.
fn number(text: &[u8]) -> Option<Number> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii();
    if let Ok(value) = text.parse() {
        return Some(Number::Int(value));
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then_some(Number::Float(value))
}
