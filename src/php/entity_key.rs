//! `WRStats\EntityKey`

use super::zend::{Call, Held, Native, New, NewArray, StrOrInt, StrValue, Thrown, Visitor};
use crate::stats::entity;

/// Further key components of one counted thing. They never change.
pub struct EntityKey {
    /// In the order given.
    pub components: Vec<Component>,
    /// Whether all wikis (keyspaces) share it.
    pub global: bool,
}

/// One component, with the type it had in PHP.
pub enum Component {
    /// An integer.
    Int(i64),
    /// Bytes.
    Str(Held<StrValue>),
}

impl Component {
    fn another(&self) -> Component {
        match self {
            Component::Int(value) => Component::Int(*value),
            Component::Str(text) => Component::Str(text.clone()),
        }
    }

    /// As the stats room takes it.
    #[inline]
    pub fn view(&self) -> entity::Component<'_> {
        match self {
            Component::Int(value) => entity::Component::Int(*value),
            Component::Str(text) => entity::Component::Bytes(text.bytes()),
        }
    }
}

impl Native for EntityKey {
    const HOLDS: bool = true;

    fn held(&self, visit: &mut Visitor) {
        for component in &self.components {
            if let Component::Str(text) = component {
                visit.visit(text);
            }
        }
    }
}

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
            StrOrInt::Str(text) => Component::Str(text.hold()),
        });
    }
    Ok(New(EntityKey { components, global }))
}

/// `getComponents(): array`
pub fn get_components(call: &mut Call) -> Result<NewArray, Thrown> {
    // Not borrowed while the engine makes the array.
    let components: Vec<Component> = {
        let this = call.this::<EntityKey>()?;
        this.components.iter().map(Component::another).collect()
    };
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
