//! Many keys.

use super::{KeyError, Parts};

/// Checked wire keys, one behind the other in one allocation.
#[derive(Clone, Debug, Default)]
pub struct KeyList {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl KeyList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty list with room for so many keys, of so many bytes together.
    pub fn with_capacity(keys: usize, bytes: usize) -> Self {
        KeyList {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::with_capacity(keys),
        }
    }

    /// Appends a key.
    ///
    /// # Errors
    /// [`KeyError`]; the list is as before.
    pub fn push(&mut self, key: Parts<'_>) -> Result<(), KeyError> {
        key.check()?;
        self.bytes.extend_from_slice(key.head.bytes);
        self.bytes.extend_from_slice(key.key);
        self.ends.push(self.bytes.len() as u32);
        Ok(())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key at `index`, in the order of pushing.
    ///
    /// # Panics
    /// When there is no such key.
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        &self.bytes[start..self.ends[index] as usize]
    }

    /// All keys in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Forgets all keys, keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_gives_back_what_was_pushed_and_refuses_the_rest() {
        let mut list = KeyList::new();
        list.push(Parts {
            head: b"p:"[..].into(),
            key: b"one",
        })
        .unwrap();
        assert!(list.push(Parts::bare(b"a b")).is_err());
        list.push(Parts::bare(b"two")).unwrap();
        assert_eq!(list.iter().collect::<Vec<_>>(), [&b"p:one"[..], b"two"]);
    }
}
