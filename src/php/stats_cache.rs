//! Specs and conditions that were parsed before, found again by the identity of the arrays that they came in.
//!
//! PHP code tends to pass the same array again and again: a constant, a property, a literal. Parsing it takes longer
//! than all that a writer does with it.

use super::zend::{Array, ArrayValue, Digits, Held, StrOrArray, Visitor};
use std::rc::Rc;

/// Most results kept.
const MOST: usize = 8;

/// The key components before a metric's name, as they came.
pub struct Prefix {
    components: Vec<Box<[u8]>>,
    /// The array they came in, if it is the same as long as it is held.
    array: Option<Held<ArrayValue>>,
}

/// The prefix where none is given.
const DEFAULT: &[u8] = b"WRStats";

impl Prefix {
    /// Of an argument whose components were read.
    pub fn new(given: Option<StrOrArray<'_>>, components: Vec<Box<[u8]>>) -> Prefix {
        let array = match given {
            Some(StrOrArray::Array(array)) if array.is_plain() => Some(array.hold()),
            _ => None,
        };
        Prefix { components, array }
    }

    /// The one component of a prefix that is no array.
    pub fn single<'a>(given: Option<StrOrArray<'a>>) -> Option<&'a [u8]> {
        match given {
            None => Some(DEFAULT),
            Some(StrOrArray::Str(text)) => Some(text.bytes()),
            Some(StrOrArray::Array(_)) => None,
        }
    }

    /// Its components.
    pub fn components(&self) -> Vec<&[u8]> {
        self.components
            .iter()
            .map(|component| &**component)
            .collect()
    }

    fn is(&self, given: Option<StrOrArray<'_>>, read: Option<&[Box<[u8]>]>) -> bool {
        if let Some(single) = Self::single(given) {
            return matches!(&self.components[..], [only] if **only == *single);
        }
        let Some(StrOrArray::Array(given)) = given else {
            return false;
        };
        let same = self
            .array
            .as_ref()
            .is_some_and(|array| array.is_same(given));
        same || match read {
            Some(read) => *read == *self.components,
            None => self.has_the_elements(given),
        }
    }

    /// Prefixes are often built anew from the same few strings.
    fn has_the_elements(&self, given: Array<'_>) -> bool {
        let mut digits = Digits::default();
        let mut components = self.components.iter();
        given.len() == self.components.len()
            && given.all_str_or_int(|element| {
                let component = components.next().map(|component| &**component);
                component == Some(element.bytes(&mut digits))
            })
    }
}

struct Entry<T> {
    input: Held<ArrayValue>,
    options: Option<Held<ArrayValue>>,
    prefix: Prefix,
    parsed: Rc<T>,
}

/// Some results of parsing, the last used first. All of them were made for one handle.
pub struct Cache<T>(Vec<Entry<T>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache(Vec::new())
    }
}

/// What is looked up: the array of specs or conditions, options if there are any, and the prefix.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    /// Specs or conditions.
    pub input: Array<'a>,
    /// Options, if any were given.
    pub options: Option<Array<'a>>,
    /// The prefix argument.
    pub prefix: Option<StrOrArray<'a>>,
}

impl<T> Cache<T> {
    /// What was made of these arguments before. A prefix that is an array is known by its identity, or by its
    /// components: those `read`, or strings and ints in it.
    #[inline]
    pub fn find(&mut self, lookup: Lookup<'_>, read: Option<&[Box<[u8]>]>) -> Option<Rc<T>> {
        let index = self.0.iter().position(|entry| entry.is(lookup, read))?;
        if index != 0 {
            self.0[..=index].rotate_right(1);
        }
        Some(Rc::clone(&self.0[0].parsed))
    }

    /// Keeps what was made of these arguments, if they stay the same while they are held. Answers what had to go, to
    /// be released while nothing is borrowed.
    #[must_use]
    pub fn keep(
        &mut self,
        lookup: Lookup<'_>,
        prefix: Prefix,
        parsed: &Rc<T>,
    ) -> impl Sized + use<T> {
        let plain = lookup.input.is_plain() && lookup.options.is_none_or(Array::is_plain);
        if !plain {
            return Vec::new();
        }
        let entry = Entry {
            input: lookup.input.hold(),
            options: lookup.options.map(Array::hold),
            prefix,
            parsed: Rc::clone(parsed),
        };
        self.0.insert(0, entry);
        self.0.split_off(self.0.len().min(MOST))
    }

    /// Reports what it holds.
    pub fn held(&self, visit: &mut Visitor) {
        for entry in &self.0 {
            visit.visit(&entry.input);
            entry
                .options
                .iter()
                .for_each(|options| visit.visit(options));
            entry
                .prefix
                .array
                .iter()
                .for_each(|array| visit.visit(array));
        }
    }
}

impl<T> Entry<T> {
    #[inline]
    fn is(&self, lookup: Lookup<'_>, read: Option<&[Box<[u8]>]>) -> bool {
        let same_options = match (&self.options, lookup.options) {
            (None, None) => true,
            (Some(held), Some(given)) => held.is_same(given),
            _ => false,
        };
        self.input.is_same(lookup.input) && same_options && self.prefix.is(lookup.prefix, read)
    }
}
