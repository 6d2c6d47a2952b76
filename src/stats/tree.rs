//! Nested input as the caller wrote it (a PHP array), in neutral form, for specs, conditions and options.

use super::error::{Invalid, shown};
use super::number::Number;

/// One value of nested input.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// Counts as left out.
    Null,
    /// A truth value.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string of bytes.
    Bytes(Vec<u8>),
    /// An ordered map; lists have the keys 0, 1, 2 …
    Array(Vec<(TreeKey, Tree)>),
    /// Anything else; what it is, for messages.
    Other(String),
}

/// A key of nested input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeKey {
    /// An int key, which PHP also makes of strings such as "7".
    Int(i64),
    /// A string key.
    Bytes(Vec<u8>),
}

impl TreeKey {
    /// The key as a name: the decimal digits of an int, the bytes of a string.
    pub fn name(&self) -> Vec<u8> {
        match self {
            TreeKey::Int(i) => i.to_string().into_bytes(),
            TreeKey::Bytes(bytes) => bytes.clone(),
        }
    }
}

impl Tree {
    /// What it is, as PHP's messages call it.
    fn kind(&self) -> &str {
        match self {
            Tree::Null => "null",
            Tree::Bool(_) => "bool",
            Tree::Int(_) => "int",
            Tree::Float(_) => "float",
            Tree::Bytes(_) => "string",
            Tree::Array(_) => "array",
            Tree::Other(kind) => kind,
        }
    }
}

/// A value together with where it is, so that every complaint can name the place.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    path: String,
    tree: &'a Tree,
}

impl<'a> Place<'a> {
    /// The outermost value, called `name` in messages.
    pub fn root(name: &str, tree: &'a Tree) -> Place<'a> {
        Place {
            path: name.to_owned(),
            tree,
        }
    }

    /// A complaint about this value: `rule` says what it must be.
    pub fn must(&self, rule: &str) -> Invalid {
        Invalid::Entry {
            path: self.path.clone(),
            rule: format!("must {rule}"),
        }
    }

    fn must_be(&self, what: &str) -> Invalid {
        let given = match self.tree {
            Tree::Int(i) => i.to_string(),
            Tree::Float(f) => Number::Float(*f).to_string(),
            Tree::Bytes(b) => format!("\"{}\"", shown(b)),
            other => other.kind().to_owned(),
        };
        self.must(&format!("be {what}, {given} given"))
    }

    /// The entries of an array, in order, nulls among them.
    ///
    /// # Errors
    /// When this is no array; `what` says what is accepted.
    pub fn entries(&self, what: &str) -> Result<Vec<(&'a TreeKey, Place<'a>)>, Invalid> {
        let Tree::Array(entries) = self.tree else {
            return Err(self.must_be(what));
        };
        Ok(entries
            .iter()
            .map(|(key, tree)| {
                (
                    key,
                    Place {
                        path: self.child(key),
                        tree,
                    },
                )
            })
            .collect())
    }

    fn child(&self, key: &TreeKey) -> String {
        match key {
            TreeKey::Int(i) => format!("{}[{i}]", self.path),
            TreeKey::Bytes(bytes) => format!("{}[\"{}\"]", self.path, shown(bytes)),
        }
    }

    /// Null, which counts as left out.
    pub fn is_null(&self) -> bool {
        matches!(self.tree, Tree::Null)
    }

    /// An int or float that is finite and above 0.
    ///
    /// # Errors
    /// When it is anything else; `what` says what is accepted.
    pub fn positive(&self, what: &str) -> Result<Number, Invalid> {
        let number = match *self.tree {
            Tree::Int(i) => Number::Int(i),
            Tree::Float(f) => Number::Float(f),
            _ => return Err(self.must_be(what)),
        };
        if number.is_finite() && Number::ZERO.less_than(number) {
            Ok(number)
        } else {
            Err(self.must_be(what))
        }
    }

    /// A whole number within `range`.
    ///
    /// # Errors
    /// When it is anything else; `what` says what is accepted.
    pub fn whole(&self, range: std::ops::RangeInclusive<i64>, what: &str) -> Result<i64, Invalid> {
        match *self.tree {
            Tree::Int(i) if range.contains(&i) => Ok(i),
            _ => Err(self.must_be(what)),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn truth(&self) -> Result<bool, Invalid> {
        match *self.tree {
            Tree::Bool(value) => Ok(value),
            _ => Err(self.must_be("true or false")),
        }
    }

    /// A string, or an int as its digits.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn text(&self) -> Result<Vec<u8>, Invalid> {
        match self.tree {
            Tree::Bytes(bytes) => Ok(bytes.clone()),
            Tree::Int(i) => Ok(i.to_string().into_bytes()),
            _ => Err(self.must_be("a string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_name_the_place_and_what_was_given() {
        let tree = Tree::Array(vec![(
            TreeKey::Bytes(b"a\"b".to_vec()),
            Tree::Array(vec![(TreeKey::Int(3), Tree::Float(f64::NAN))]),
        )]);
        let (_, inner) = Place::root("specs", &tree)
            .entries("an array")
            .unwrap()
            .remove(0);
        let (_, leaf) = inner.entries("an array").unwrap().remove(0);
        assert_eq!(
            leaf.positive("a number above 0").unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be a number above 0, NAN given"
        );
        assert_eq!(
            leaf.truth().unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be true or false, NAN given"
        );
        assert_eq!(
            leaf.entries("a list").unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be a list, NAN given"
        );
    }

    #[test]
    fn only_finite_numbers_above_zero_are_positive() {
        for bad in [
            Tree::Int(0),
            Tree::Int(-1),
            Tree::Float(0.0),
            Tree::Float(f64::INFINITY),
            Tree::Bytes(b"5".to_vec()),
            Tree::Bool(true),
        ] {
            assert!(
                Place::root("x", &bad).positive("a number").is_err(),
                "{bad:?}"
            );
        }
        assert_eq!(
            Place::root("x", &Tree::Float(0.5)).positive("").unwrap(),
            Number::Float(0.5)
        );
    }
}
