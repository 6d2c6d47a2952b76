//! `WRStats\EntityKey`

use super::zend::{Call, Native, New, NewArray, StrOrInt, Thrown};
use crate::stats::entity;
use std::rc::Rc;

/// Further key components of one counted thing. They never change, so whoever needs them shares them.
pub struct EntityKey(pub Rc<Components>);

/// What an [`EntityKey`] is made of.
pub struct Components {
    /// In the order given.
    pub list: Vec<Component>,
    /// Whether all wikis (keyspaces) share it.
    pub global: bool,
}

/// One component, with the type it had in PHP.
pub enum Component {
    /// An integer.
    Int(i64),
    /// Bytes.
    Str(Vec<u8>),
}

impl Component {
    /// As the stats room takes it.
    pub fn view(&self) -> entity::Component<'_> {
        match self {
            Component::Int(value) => entity::Component::Int(*value),
            Component::Str(text) => entity::Component::Bytes(text),
        }
    }
}

impl Native for EntityKey {}

/// `static local(string|int ...$components): self`
pub fn local(call: &mut Call) -> Result<New<EntityKey>, Thrown> {
    create(call, false)
}

/// `static global(string|int ...$components): self`
pub fn global(call: &mut Call) -> Result<New<EntityKey>, Thrown> {
    create(call, true)
}

fn create(call: &mut Call, global: bool) -> Result<New<EntityKey>, Thrown> {
    let mut list = Vec::new();
    while let Some(component) = call.next_str_or_int()? {
        list.push(match component {
            StrOrInt::Int(value) => Component::Int(value),
            StrOrInt::Str(text) => Component::Str(text.bytes().to_vec()),
        });
    }
    Ok(New(EntityKey(Rc::new(Components { list, global }))))
}

/// `getComponents(): array`
pub fn get_components(call: &mut Call) -> Result<NewArray, Thrown> {
    let components = Rc::clone(&call.this::<EntityKey>()?.0);
    let mut array = NewArray::with_capacity(components.list.len());
    for component in &components.list {
        match component {
            Component::Int(value) => array.push(*value),
            Component::Str(text) => array.push(&text[..]),
        }
    }
    Ok(array)
}

/// `isGlobal(): bool`
pub fn is_global(call: &mut Call) -> Result<bool, Thrown> {
    Ok(call.this::<EntityKey>()?.0.global)
}
