//! Places in nested input: specs, conditions and options as the caller wrote them.

use super::error::{Invalid, shown};
use super::number::Number;
use crate::client::input::{Input, InputKey};

/// A value together with where it is, so that every complaint can name the place.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    path: String,
    input: &'a Input,
}

impl<'a> Place<'a> {
    /// The outermost value, called `name` in messages.
    pub fn root(name: &str, input: &'a Input) -> Place<'a> {
        Place {
            path: name.to_owned(),
            input,
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
    pub fn entries(&self, what: &str) -> Result<Vec<(&'a InputKey, Place<'a>)>, Invalid> {
        let Input::Array(entries) = self.input else {
            return Err(self.must_be(what));
        };
        Ok(entries
            .iter()
            .map(|(key, input)| {
                (
                    key,
                    Place {
                        path: self.child(key),
                        input,
                    },
                )
            })
            .collect())
    }

    fn child(&self, key: &InputKey) -> String {
        match key {
            InputKey::Int(i) => format!("{}[{i}]", self.path),
            InputKey::Bytes(bytes) => format!("{}[\"{}\"]", self.path, shown(bytes)),
        }
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
    pub fn text(&self) -> Result<Vec<u8>, Invalid> {
        match self.input {
            Input::Bytes(bytes) => Ok(bytes.clone()),
            Input::Int(i) => Ok(i.to_string().into_bytes()),
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
        let (_, inner) = Place::root("specs", &input)
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
