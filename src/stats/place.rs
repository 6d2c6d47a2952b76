//! Places in nested input: specs, conditions and options as the caller wrote them.

use super::error::{Invalid, shown};
use super::number::Number;
use crate::client::input::{Input, InputKey};
use std::borrow::Cow;

/// A value together with where it is, so that every complaint can name the place. The path is spelt out only for one.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    within: Within<'a>,
    input: &'a Input,
}

#[derive(Clone, Copy, Debug)]
enum Within<'a> {
    /// What the outermost value is called.
    Root(&'a str),
    /// An array, and the key in it.
    Array(&'a Place<'a>, &'a InputKey),
}

impl<'a> Place<'a> {
    /// The outermost value, called `name` in messages.
    pub fn root(name: &'a str, input: &'a Input) -> Place<'a> {
        Place {
            within: Within::Root(name),
            input,
        }
    }

    fn path(&self) -> String {
        match self.within {
            Within::Root(name) => name.to_owned(),
            Within::Array(parent, InputKey::Int(i)) => format!("{}[{i}]", parent.path()),
            Within::Array(parent, InputKey::Bytes(bytes)) => {
                format!("{}[\"{}\"]", parent.path(), shown(bytes))
            }
        }
    }

    /// A complaint about this value: `rule` says what it must be.
    pub fn must(&self, rule: &str) -> Invalid {
        Invalid::Entry {
            path: self.path(),
            rule: format!("must {rule}"),
        }
    }

    fn must_be(&self, what: &str) -> Invalid {
        let given = match self.input {
            Input::Int(i) => i.to_string(),
            Input::Float(f) => Number::Float(*f).to_string(),
            Input::Bytes(b) => format!("\"{}\"", shown(b)),
            other => other.kind().to_owned(),
        };
        self.must(&format!("be {what}, {given} given"))
    }

    /// The entries of an array, in order, nulls among them.
    ///
    /// # Errors
    /// When this is no array; `what` says what is accepted.
    pub fn entries(
        &'a self,
        what: &str,
    ) -> Result<impl ExactSizeIterator<Item = (&'a InputKey, Place<'a>)>, Invalid> {
        let Input::Array(entries) = self.input else {
            return Err(self.must_be(what));
        };
        Ok(entries.iter().map(|(key, input)| {
            let within = Within::Array(self, key);
            (key, Place { within, input })
        }))
    }

    /// Null, which counts as left out.
    pub fn is_null(&self) -> bool {
        matches!(self.input, Input::Null)
    }

    /// An int or float that is finite and above 0.
    ///
    /// # Errors
    /// When it is anything else; `what` says what is accepted.
    pub fn positive(&self, what: &str) -> Result<Number, Invalid> {
        let number = match *self.input {
            Input::Int(i) => Number::Int(i),
            Input::Float(f) => Number::Float(f),
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
        match *self.input {
            Input::Int(i) if range.contains(&i) => Ok(i),
            _ => Err(self.must_be(what)),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn truth(&self) -> Result<bool, Invalid> {
        match *self.input {
            Input::Bool(value) => Ok(value),
            _ => Err(self.must_be("true or false")),
        }
    }

    /// A string, or an int as its digits.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn text(&self) -> Result<Cow<'a, [u8]>, Invalid> {
        match self.input {
            Input::Bytes(bytes) => Ok(bytes.into()),
            Input::Int(i) => Ok(i.to_string().into_bytes().into()),
            _ => Err(self.must_be("a string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_name_the_place_and_what_was_given() {
        let input = Input::Array(vec![(
            InputKey::Bytes(b"a\"b".to_vec()),
            Input::Array(vec![(InputKey::Int(3), Input::Float(f64::NAN))]),
        )]);
        let root = Place::root("specs", &input);
        let (_, inner) = root.entries("an array").unwrap().next().unwrap();
        let (_, leaf) = inner.entries("an array").unwrap().next().unwrap();
        assert_eq!(
            leaf.positive("a number above 0").unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be a number above 0, NAN given"
        );
        assert_eq!(
            leaf.truth().unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be true or false, NAN given"
        );
        assert_eq!(
            leaf.entries("a list").map(drop).unwrap_err().to_string(),
            "specs[\"a\\\"b\"][3] must be a list, NAN given"
        );
    }

    #[test]
    fn only_finite_numbers_above_zero_are_positive() {
        for bad in [
            Input::Int(0),
            Input::Int(-1),
            Input::Float(0.0),
            Input::Float(f64::INFINITY),
            Input::Bytes(b"5".to_vec()),
            Input::Bool(true),
        ] {
            assert!(
                Place::root("x", &bad).positive("a number").is_err(),
                "{bad:?}"
            );
        }
        assert_eq!(
            Place::root("x", &Input::Float(0.5)).positive("").unwrap(),
            Number::Float(0.5)
        );
    }
}
