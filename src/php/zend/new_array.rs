//! Building arrays for PHP.

use super::array::Key;
use super::ffi::{
    _zend_handle_numeric_str_ex, _zend_new_array, zend_array, zend_hash_index_update,
    zend_hash_next_index_insert, zend_hash_str_update, zend_hash_update, zval,
};
use super::held::{ArrayValue, Held};
use super::view::Str;
use super::zval::{ToPhp, of_array, put, release, undef};
use std::ptr::NonNull;

/// An array that is being built. It belongs to the current request: do not keep it.
pub struct NewArray(NonNull<zend_array>);

impl NewArray {
    /// An empty array with room for `capacity` elements.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let size = u32::try_from(capacity).unwrap_or(u32::MAX / 2);
        // SAFETY: the engine never answers null: it ends the request when memory is short.
        Self(unsafe { NonNull::new_unchecked(_zend_new_array(size)) })
    }

    /// Appends, as `$array[] = $value`.
    pub fn push(&mut self, value: impl ToPhp) {
        let mut value = owned(value);
        // SAFETY: the array is ours alone. The element's reference moves into it, unless the last index is
        // taken; then it stays with us.
        unsafe {
            if zend_hash_next_index_insert(self.0.as_ptr(), (&raw mut value).cast()).is_null() {
                release(&raw mut value);
            }
        }
    }

    /// Sets `$array[$key] = $value`: a decimal key that fits an int becomes one.
    pub fn insert(&mut self, key: &[u8], value: impl ToPhp) {
        let mut value = owned(value);
        // SAFETY: the array is ours alone; the engine copies the key, the reference moves in.
        unsafe {
            if let Some(index) = numeric(key) {
                zend_hash_index_update(self.0.as_ptr(), index, (&raw mut value).cast());
            } else {
                zend_hash_str_update(
                    self.0.as_ptr(),
                    key.as_ptr().cast(),
                    key.len(),
                    (&raw mut value).cast(),
                );
            }
        }
    }

    /// As [`NewArray::insert`], sharing a string that PHP has already.
    pub fn insert_str(&mut self, key: Str<'_>, value: impl ToPhp) {
        if numeric(key.bytes()).is_some() {
            return self.insert(key.bytes(), value);
        }
        let mut value = owned(value);
        // SAFETY: the array is ours alone; the engine counts the key, the reference moves in.
        unsafe {
            zend_hash_update(self.0.as_ptr(), key.raw(), (&raw mut value).cast());
        }
    }

    /// Sets an element under a key taken from another PHP array.
    pub fn insert_key(&mut self, key: Key<'_>, value: impl ToPhp) {
        let mut value = owned(value);
        // SAFETY: the array is ours alone; keys of arrays are normalised already.
        unsafe {
            match key {
                Key::Int(index) => {
                    zend_hash_index_update(
                        self.0.as_ptr(),
                        index.cast_unsigned(),
                        (&raw mut value).cast(),
                    );
                }
                Key::Str(name) => {
                    zend_hash_update(self.0.as_ptr(), name.raw(), (&raw mut value).cast());
                }
            }
        }
    }

    /// Done: a value to keep.
    #[must_use]
    pub fn hold(self) -> Held<ArrayValue> {
        // SAFETY: the one reference moves.
        unsafe { Held::own(owned(self)) }
    }

    pub(super) fn raw(&self) -> *mut zend_array {
        self.0.as_ptr()
    }
}

fn owned(value: impl ToPhp) -> zval {
    let mut slot = undef();
    // SAFETY: `slot` is ours.
    unsafe { value.write(&raw mut slot) };
    slot
}

/// The index that PHP makes of a decimal key.
#[inline]
pub(super) fn numeric(key: &[u8]) -> Option<u64> {
    // Most keys begin with a letter.
    let first = *key.first()?;
    if first > b'9' || (first != b'-' && first < b'0') {
        return None;
    }
    let mut index = 0;
    // SAFETY: the engine reads the byte after the end, too, where a zend_string has its NUL: so it gets a
    // copy with one. A key that fits an int has at most 20 bytes.
    unsafe {
        let mut copy = [0u8; 21];
        copy.get_mut(..key.len())?.copy_from_slice(key);
        if key.len() == copy.len() {
            return None;
        }
        _zend_handle_numeric_str_ex(copy.as_ptr().cast(), key.len(), &raw mut index)
            .then_some(index)
    }
}

impl Drop for NewArray {
    fn drop(&mut self) {
        // SAFETY: the one reference is ours.
        unsafe {
            let mut value = of_array(self.0.as_ptr());
            release(&raw mut value);
        }
    }
}

impl ToPhp for NewArray {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract of `write`; the reference moves into the slot.
        unsafe { put(slot, of_array(self.0.as_ptr())) }
        std::mem::forget(self);
    }
}
