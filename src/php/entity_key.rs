//! `WRStats\EntityKey`

use super::zend::{Call, Native, New, NewArray, StrOrInt, Thrown};

/// Further key components of one counted thing.
#[derive(Clone, Debug)]
pub struct EntityKey {
    /// In the order given.
    pub components: Vec<Component>,
    /// Whether all wikis (keyspaces) share it.
    pub global: bool,
}

/// One component, with the type it had in PHP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// An integer.
    Int(i64),
    /// Bytes.
    Str(Vec<u8>),
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
    let mut components = Vec::new();
    while let Some(component) = call.next_str_or_int()? {
        components.push(match component {
            StrOrInt::Int(value) => Component::Int(value),
            StrOrInt::Str(text) => Component::Str(text.bytes().to_vec()),
        });
    }
    Ok(New(EntityKey { components, global }))
}

/// `getComponents(): array`
pub fn get_components(call: &mut Call) -> Result<NewArray, Thrown> {
    let components = call.this::<EntityKey>()?.components.clone();
    let mut array = NewArray::with_capacity(components.len());
    for component in components {
        match component {
            Component::Int(value) => array.push(value),
            Component::Str(text) => array.push(text),
        }
    }
    Ok(array)
}

/// `isGlobal(): bool`
pub fn is_global(call: &mut Call) -> Result<bool, Thrown> {
    Ok(call.this::<EntityKey>()?.global)
}
