//! Nested input as a caller wrote it (PHP values, ini and DSN text), before its meaning is known: settings, metric
//! specs, conditions, options.

use std::borrow::Cow;

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// PHP's null: counts as left out.
    Null,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string; also every value of an ini entry or a DSN.
    Bytes(Vec<u8>),
    /// An array, in its order; lists have the keys 0, 1, 2 …
    Array(Vec<(InputKey, Input)>),
    /// Anything else, which nothing takes; what it is, for messages.
    Other(String),
}

/// A key of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKey {
    /// An int key, which PHP also makes of strings such as "7".
    Int(i64),
    /// A string key.
    Bytes(Vec<u8>),
}

impl InputKey {
    /// The key as a name: the decimal digits of an int, the bytes of a string.
    pub fn name(&self) -> Cow<'_, [u8]> {
        match self {
            InputKey::Int(index) => index.to_string().into_bytes().into(),
            InputKey::Bytes(bytes) => bytes.into(),
        }
    }
}

impl Input {
    /// What it is, as PHP's messages call it.
    pub fn kind(&self) -> &str {
        match self {
            Input::Null => "null",
            Input::Bool(_) => "bool",
            Input::Int(_) => "int",
            Input::Float(_) => "float",
            Input::Bytes(_) => "string",
            Input::Array(_) => "array",
            Input::Other(kind) => kind,
        }
    }
}
