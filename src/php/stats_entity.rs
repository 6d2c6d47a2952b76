//! `array|object|null $entity`: which further key components tell one counted thing from another.

use super::entity_key::{Component, EntityKey};
use super::zend::{
    Array, ArrayOrObject, ArrayValue, Call, Held, Key, Object, ObjectValue, StrOrInt, Thrown, View,
    Visitor,
};
use crate::stats::entity;
use crate::stats::error::shown;

/// MediaWiki's class of local entities, which do not change once made.
pub const LOCAL_KEY: &str = r"Wikimedia\WRStats\LocalEntityKey";
/// And of global ones.
pub const GLOBAL_KEY: &str = r"Wikimedia\WRStats\GlobalEntityKey";

const ACCEPTED: &str = "an array of scalars, a WRStats\\EntityKey, or an object with \
                        getComponents(): array and isGlobal(): bool";

/// An entity argument whose content is the same as long as it is held.
pub enum Unchanging {
    /// An array without references and objects in it.
    Array(Held<ArrayValue>),
    /// An object of a class without setters.
    Object(Held<ObjectValue>),
}

impl Unchanging {
    /// A number that belongs to it alone while it is held; not 0.
    pub fn hint(&self) -> usize {
        match self {
            Unchanging::Array(array) => array.array().as_ptr() as usize,
            Unchanging::Object(object) => object.object().as_ptr() as usize,
        }
    }

    /// Reports what it holds.
    pub fn held(&self, visit: &mut Visitor) {
        match self {
            Unchanging::Array(array) => visit.visit(array),
            Unchanging::Object(object) => visit.visit(object),
        }
    }
}

/// What [`Unchanging::hint`] would be of an argument.
#[inline(always)]
pub fn hint(argument: ArrayOrObject<'_>) -> usize {
    match argument {
        ArrayOrObject::Array(array) => array.as_ptr() as usize,
        ArrayOrObject::Object(object) => object.as_ptr() as usize,
    }
}

/// An entity argument that was read. Nothing of it runs PHP code any more.
pub struct Entity {
    content: Content,
    /// Itself, where it may be known again by its identity.
    pub unchanging: Option<Unchanging>,
    /// The object that it came as.
    pub object: Option<Held<ObjectValue>>,
}

enum Content {
    None,
    /// Of our own class, and constructed.
    Ours(Held<ObjectValue>),
    /// At most [`FEW`] strings and ints.
    Few {
        global: bool,
        components: Held<ArrayValue>,
    },
    Read {
        global: bool,
        components: Vec<Component>,
    },
}

/// Components of nearly all entities.
const FEW: usize = 4;

impl Content {
    fn of_few(global: bool, array: Array<'_>) -> Option<Self> {
        let few = array.len() <= FEW && array.all_str_or_int(|_| true);
        few.then(|| Content::Few {
            global,
            components: array.hold(),
        })
    }
}

impl Entity {
    /// Reads an argument; `describe` makes the exception for a bad one of a message in PHP's words ("must …").
    ///
    /// # Errors
    /// `\TypeError`, or what PHP code threw that was asked for the components.
    pub fn read<'f: 'a, 'a>(
        argument: Option<ArrayOrObject<'a>>,
        call: &Call<'f>,
        describe: &dyn Fn(String) -> Thrown,
    ) -> Result<Self, Thrown> {
        match argument {
            None => Ok(Self::none()),
            Some(ArrayOrObject::Array(array)) if array.is_empty() => Ok(Self::none()),
            Some(ArrayOrObject::Array(array)) if let Some(few) = Content::of_few(false, array) => {
                Ok(Entity {
                    unchanging: Some(Unchanging::Array(array.hold())),
                    ..Self::plain(few)
                })
            }
            Some(ArrayOrObject::Array(array)) => Ok(Entity {
                unchanging: array.is_plain().then(|| Unchanging::Array(array.hold())),
                ..Self::plain(Content::Read {
                    global: false,
                    components: components(array, call, describe)?,
                })
            }),
            Some(ArrayOrObject::Object(object)) => Self::of_object(object, call, describe),
        }
    }

    fn plain(content: Content) -> Self {
        Entity {
            content,
            unchanging: None,
            object: None,
        }
    }

    fn of_object(
        object: Object<'_>,
        call: &Call<'_>,
        describe: &dyn Fn(String) -> Thrown,
    ) -> Result<Self, Thrown> {
        if object.is::<EntityKey>() {
            if object.state::<EntityKey>().is_none() {
                let message = "WRStats\\EntityKey: the object was not constructed";
                return Err(Thrown::error(message));
            }
            return Ok(Entity {
                content: Content::Ours(object.hold()),
                unchanging: Some(Unchanging::Object(object.hold())),
                object: Some(object.hold()),
            });
        }
        // What these two answer is known, and stays so.
        let fixed = match object.class_name() {
            name if name == LOCAL_KEY.as_bytes() => Some(false),
            name if name == GLOBAL_KEY.as_bytes() => Some(true),
            _ => None,
        };
        let wrong = |what: String| describe(format!("must be {ACCEPTED}, {what}"));
        let name = || View::Object(object).type_name();
        let has_methods = || object.has_method("getcomponents") && object.has_method("isglobal");
        if fixed.is_none() && !has_methods() {
            return Err(wrong(format!("{} given", name())));
        }
        let held = object.hold();
        // Asking the object for the array that it has in there costs more than all the rest of an increment.
        if let Some(global) = fixed
            && let Some(array) = object.array_in("components")
            && let Some(few) = Content::of_few(global, array)
        {
            return Ok(Entity {
                content: few,
                unchanging: Some(Unchanging::Object(held.clone())),
                object: Some(held),
            });
        }
        let answer = object.call("getComponents", &[])?;
        let View::Array(array) = answer.view() else {
            let given = answer.view().type_name();
            return Err(wrong(format!(
                "{}::getComponents() returned {given}",
                name()
            )));
        };
        let components = components(array, call, describe)?;
        let global = match fixed {
            Some(global) => global,
            None => match object.call("isGlobal", &[])?.view() {
                View::Bool(global) => global,
                other => {
                    let given = other.type_name();
                    return Err(wrong(format!("{}::isGlobal() returned {given}", name())));
                }
            },
        };
        Ok(Entity {
            content: Content::Read { global, components },
            unchanging: fixed.map(|_| Unchanging::Object(held.clone())),
            object: Some(held),
        })
    }

    /// The entity without components: local, and the same for everyone.
    pub fn none() -> Self {
        Self::plain(Content::None)
    }

    /// Hands over whether it is global, and its components.
    pub fn with<R>(&self, then: impl FnOnce(bool, &[entity::Component<'_>]) -> R) -> R {
        match &self.content {
            Content::None => then(false, &[]),
            Content::Ours(object) => match object.object().state::<EntityKey>() {
                Some(key) => with_views(&key.components, |list| then(key.global, list)),
                None => then(false, &[]),
            },
            Content::Few { global, components } => {
                let mut few = [entity::Component::Int(0); FEW];
                let mut len = 0;
                components.array().all_str_or_int(|component| {
                    few[len] = match component {
                        StrOrInt::Int(value) => entity::Component::Int(value),
                        StrOrInt::Str(text) => entity::Component::Bytes(text.bytes()),
                    };
                    len += 1;
                    true
                });
                then(*global, &few[..len])
            }
            Content::Read { global, components } => {
                with_views(components, |list| then(*global, list))
            }
        }
    }
}

/// Hands over components as the stats room takes them; most lists are short and need no memory.
fn with_views<R>(components: &[Component], then: impl FnOnce(&[entity::Component<'_>]) -> R) -> R {
    let mut few = [entity::Component::Int(0); FEW];
    if let Some(room) = few.get_mut(..components.len()) {
        for (slot, component) in room.iter_mut().zip(components) {
            *slot = component.view();
        }
        return then(room);
    }
    then(&components.iter().map(Component::view).collect::<Vec<_>>())
}

/// A list of scalars, whatever its keys.
fn components(
    array: Array<'_>,
    call: &Call<'_>,
    describe: &dyn Fn(String) -> Thrown,
) -> Result<Vec<Component>, Thrown> {
    let mut components = Vec::with_capacity(array.len());
    for (key, value) in array.iter(call) {
        components.push(match value {
            View::Int(value) => Component::Int(value),
            View::Str(text) => Component::Str(text.hold()),
            View::Array(_) | View::Resource => return Err(bad(key, value, describe)),
            View::Object(object) if !object.has_method("__tostring") => {
                return Err(bad(key, value, describe));
            }
            other => Component::Str(other.text()?),
        });
    }
    Ok(components)
}

#[cold]
fn bad(key: Key<'_>, value: View<'_>, describe: &dyn Fn(String) -> Thrown) -> Thrown {
    describe(format!(
        "must have components that are scalars, [{}] is {}",
        shown_key(key),
        value.type_name()
    ))
}

/// A key of an array for messages.
pub fn shown_key(key: Key<'_>) -> String {
    match key {
        Key::Int(index) => index.to_string(),
        Key::Str(name) => format!("\"{}\"", shown(name.bytes())),
    }
}

/// A value that is no entity at all, in the words of [`Entity::read`].
pub fn not_one(value: View<'_>) -> String {
    format!("must be null, {ACCEPTED}, {} given", value.type_name())
}
