//! Entities: the further key components that tell one counted thing from another.

use super::error::Invalid;
use super::key::write_component;
use std::collections::HashMap;

/// Entities up to this many are found by looking at each.
const FEW: usize = 8;

/// One key component of an entity. An int is the same as its decimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component<'a> {
    /// A string of bytes.
    Bytes(&'a [u8]),
    /// An int.
    Int(i64),
}

impl Component<'_> {
    fn with_bytes<R>(self, then: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Component::Bytes(bytes) => then(bytes),
            Component::Int(i) => then(itoa::Buffer::new().format(i).as_bytes()),
        }
    }
}

/// A handle on an entity that was made known to a writer, reader or batch. A writer forgets its entities at flush()
/// and refuses their ids from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityId {
    index: u32,
    generation: u32,
}

impl EntityId {
    /// The entity with no components, in the local keyspace: known everywhere, always.
    pub const NONE: EntityId = EntityId {
        index: 0,
        generation: 0,
    };

    /// Counts from 0 ([`EntityId::NONE`]) in the order in which entities became known, without gaps, so that a caller
    /// can keep what belongs to them in a list.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// An entity as a store that makes its own keys gets to see it.
#[derive(Clone, Copy, Debug)]
pub struct EntityView<'a> {
    id: EntityId,
    global: bool,
    packed: &'a [u8],
}

impl<'a> EntityView<'a> {
    /// The handle that the caller was given for it.
    pub fn id(&self) -> EntityId {
        self.id
    }

    /// Whether its keys are in the global keyspace.
    pub fn is_global(&self) -> bool {
        self.global
    }

    /// Its components, ints as their digits.
    pub fn components(&self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = self.packed;
        std::iter::from_fn(move || {
            let (length, tail) = rest.split_first_chunk::<8>()?;
            let (component, tail) = tail.split_at_checked(u64::from_le_bytes(*length) as usize)?;
            rest = tail;
            Some(component)
        })
    }
}

#[derive(Clone, Debug)]
struct Entry {
    start: usize,
    end: usize,
    global: bool,
}

/// The entities known to one writer, reader or batch: each once, whatever objects it came in.
#[derive(Clone, Debug)]
pub struct Entities {
    /// Made for a store that makes its own keys: components are kept as given, each behind its length. Otherwise as
    /// the finished end of a key.
    packed: bool,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Where to find them by content, once there are more than a few.
    by_content: HashMap<(bool, Box<[u8]>), u32>,
    generation: u32,
    last_hint: usize,
    last: EntityId,
}

impl Entities {
    /// None but [`EntityId::NONE`]; `packed` for a store that makes its own keys.
    pub(super) fn new(packed: bool) -> Entities {
        Entities {
            packed,
            bytes: Vec::new(),
            entries: vec![Entry {
                start: 0,
                end: 0,
                global: false,
            }],
            by_content: HashMap::new(),
            generation: 0,
            last_hint: 0,
            last: EntityId::NONE,
        }
    }

    /// The entity that was last made known under `hint` (0: none is).
    #[inline]
    pub(super) fn remembered(&self, hint: usize) -> Option<EntityId> {
        (hint != 0 && hint == self.last_hint).then_some(self.last)
    }

    /// Makes an entity known, or finds the one that is the same.
    pub(super) fn known(
        &mut self,
        global: bool,
        components: &[Component<'_>],
        hint: usize,
    ) -> EntityId {
        let start = self.bytes.len();
        for component in components {
            if self.packed {
                component.with_bytes(|bytes| {
                    self.bytes
                        .extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                    self.bytes.extend_from_slice(bytes);
                });
                continue;
            }
            match component {
                Component::Bytes(bytes) => write_component(bytes, &mut self.bytes),
                Component::Int(i) => {
                    // Nothing to encode in digits.
                    self.bytes.push(b':');
                    self.bytes
                        .extend_from_slice(itoa::Buffer::new().format(*i).as_bytes());
                }
            }
        }
        let id = EntityId {
            index: self.index_of(global, start),
            generation: self.generation,
        };
        (self.last_hint, self.last) = (hint, id);
        id
    }

    /// The index of the entity whose bytes begin at `start`; takes them back when there is the same already.
    fn index_of(&mut self, global: bool, start: usize) -> u32 {
        let content = &self.bytes[start..];
        let found = if self.entries.len() <= FEW {
            let same = |entry: &Entry| {
                entry.global == global && self.bytes[entry.start..entry.end] == *content
            };
            self.entries.iter().position(same).map(|index| index as u32)
        } else {
            if self.by_content.is_empty() {
                for (index, entry) in self.entries.iter().enumerate() {
                    let content = self.bytes[entry.start..entry.end].into();
                    self.by_content
                        .insert((entry.global, content), index as u32);
                }
            }
            let next = self.entries.len() as u32;
            let index = *self
                .by_content
                .entry((global, content.into()))
                .or_insert(next);
            (index != next).then_some(index)
        };
        if let Some(index) = found {
            self.bytes.truncate(start);
            return index;
        }
        self.entries.push(Entry {
            start,
            end: self.bytes.len(),
            global,
        });
        self.entries.len() as u32 - 1
    }

    /// # Errors
    /// When the id is not from here, or from before [`Entities::clear`].
    #[inline]
    pub(super) fn check(&self, id: EntityId) -> Result<(), Invalid> {
        let known = id == EntityId::NONE
            || (id.generation == self.generation && id.index() < self.entries.len());
        if known {
            Ok(())
        } else {
            Err(Invalid::StaleEntity)
        }
    }

    /// Whether it is global, and its bytes: the end of a key, separator first, unless made for a store that makes keys.
    #[inline]
    pub(super) fn get(&self, index: u32) -> (bool, &[u8]) {
        let entry = &self.entries[index as usize];
        (entry.global, &self.bytes[entry.start..entry.end])
    }

    /// As a store that makes its own keys gets to see it.
    pub(super) fn view(&self, index: u32) -> EntityView<'_> {
        let (global, packed) = self.get(index);
        EntityView {
            id: EntityId {
                index,
                generation: self.generation,
            },
            global,
            packed,
        }
    }

    pub(super) fn reserved_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Forgets all but [`EntityId::NONE`]; ids given so far are refused from now on.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.entries.truncate(1);
        self.by_content.clear();
        self.generation = self.generation.wrapping_add(1);
        self.last_hint = 0;
    }
}

impl EntityView<'_> {
    #[cfg(test)]
    pub(super) fn for_test(global: bool, packed: &[u8]) -> EntityView<'_> {
        EntityView {
            id: EntityId::NONE,
            global,
            packed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Component::{Bytes, Int};
    use super::*;

    #[test]
    fn the_same_components_are_one_entity_and_others_are_not() {
        for packed in [false, true] {
            let mut entities = Entities::new(packed);
            let seven = entities.known(false, &[Bytes(b"7")], 0);
            assert_eq!(entities.known(false, &[Int(7)], 0), seven);
            assert_eq!(entities.known(false, &[], 0).index(), 0);
            let mut seen = vec![0, seven.index()];
            let mut distinct = |id: EntityId| {
                assert!(!seen.contains(&id.index()), "packed: {packed}, {id:?}");
                seen.push(id.index());
            };
            distinct(entities.known(true, &[Bytes(b"7")], 0));
            distinct(entities.known(true, &[], 0));
            distinct(entities.known(false, &[Bytes(b"")], 0));
            distinct(entities.known(false, &[Bytes(b""), Bytes(b"")], 0));
            distinct(entities.known(false, &[Bytes(b"a"), Bytes(b"b")], 0));
            distinct(entities.known(false, &[Bytes(b"a:b")], 0));
            distinct(entities.known(false, &[Bytes(b"a%3Ab")], 0));
            for i in 0..100 {
                distinct(entities.known(false, &[Bytes(b"n"), Int(i)], 0));
            }
            assert_eq!(
                entities
                    .known(false, &[Bytes(b"n"), Bytes(b"99")], 0)
                    .index(),
                seen.len() - 1
            );
            assert_eq!(entities.known(false, &[Int(7)], 0), seven);
        }
    }

    #[test]
    fn a_hint_finds_the_last_one_only() {
        let mut entities = Entities::new(false);
        assert_eq!(entities.remembered(0), None);
        let a = entities.known(false, &[Int(1)], 16);
        assert_eq!(entities.remembered(16), Some(a));
        entities.known(false, &[Int(2)], 32);
        assert_eq!(entities.remembered(16), None);
        entities.known(false, &[Int(3)], 0);
        assert_eq!(entities.remembered(0), None);
        entities.known(false, &[Int(3)], 48);
        entities.clear();
        assert_eq!(entities.remembered(48), None);
    }

    #[test]
    fn ids_do_not_outlive_the_entities() {
        let mut entities = Entities::new(false);
        let id = entities.known(false, &[Int(1)], 0);
        assert!(entities.check(id).is_ok());
        entities.clear();
        assert_eq!(entities.check(id), Err(Invalid::StaleEntity));
        entities.known(false, &[Int(2)], 0);
        assert_eq!(entities.check(id), Err(Invalid::StaleEntity));
        assert!(entities.check(EntityId::NONE).is_ok());
    }

    #[test]
    fn a_store_that_makes_keys_sees_the_components_as_given() {
        let mut entities = Entities::new(true);
        let id = entities.known(true, &[Bytes(b"a:\xff"), Bytes(b""), Int(-3)], 0);
        let view = entities.view(id.index() as u32);
        assert!(view.is_global());
        assert_eq!(
            view.components().collect::<Vec<_>>(),
            [b"a:\xff".as_slice(), b"", b"-3"]
        );
    }
}
