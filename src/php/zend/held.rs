//! Values kept beyond the call that brought them.

use super::array::Array;
use super::ffi::zval;
use super::object::Object;
use super::per_thread::{PerThread, per_thread};
use super::view::{Str, View};
use super::zval::{ToPhp, add_ref, of_array, of_object, of_string, put, release, undef};
use std::marker::PhantomData;

/// Counts the requests of this process (ZTS: thread). A request's memory goes as a whole after
/// `post_deactivate`.
static REQUEST: PerThread = per_thread!();

/// From here on, what was held before has no memory any more.
pub(super) fn end_of_request() {
    REQUEST.set(REQUEST.get().wrapping_add(1));
}

/// A counted reference to a PHP value of the current request: `Held<StrValue>`, `Held<ArrayValue>`,
/// `Held<ObjectValue>` or `Held<AnyValue>`.
///
/// Keep it in an object's state (and report it in [`super::Native::held`]), or in a global that is
/// cleared in `request_shutdown`. One that is forgotten in a global is harmless: its request is over,
/// so it does nothing when dropped and shows nothing. Dropping the last reference to an object runs its
/// destructor.
pub struct Held<K> {
    value: zval,
    request: u32,
    kind: PhantomData<(K, *mut ())>,
}

/// See [`Held`].
pub enum StrValue {}
/// See [`Held`].
pub enum ArrayValue {}
/// See [`Held`].
pub enum ObjectValue {}
/// See [`Held`].
pub enum AnyValue {}

impl<K> Held<K> {
    /// # Safety
    /// `value` owns one reference, is no PHP reference, and is of kind `K`.
    pub(super) unsafe fn own(value: zval) -> Self {
        Self {
            value,
            request: REQUEST.get(),
            kind: PhantomData,
        }
    }

    /// Whether the value belongs to the current request.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.request == REQUEST.get()
    }

    fn alive(&self) -> &zval {
        assert!(self.is_alive(), "a PHP value was kept beyond its request");
        &self.value
    }

    pub(super) fn raw(&self) -> *const zval {
        &raw const self.value
    }

    /// What it holds.
    ///
    /// # Panics
    /// When its request is over.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        // SAFETY: this owns a reference; strings are never changed, arrays not while shared: what this
        // owns alone nobody else can reach.
        unsafe { View::new(self.alive()) }
    }
}

impl Held<StrValue> {
    /// A string with a copy of these bytes.
    #[must_use]
    pub fn copy_of(bytes: &[u8]) -> Self {
        let mut value = undef();
        // SAFETY: `value` is ours, and holds a string after `write`.
        unsafe {
            bytes.write(&raw mut value);
            Self::own(value)
        }
    }

    /// Its bytes.
    ///
    /// # Panics
    /// When its request is over.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: of this kind by the contract of `own`.
        unsafe { Str::new(self.alive().value.str_).bytes() }
    }
}

impl Held<ArrayValue> {
    /// The array.
    ///
    /// # Panics
    /// When its request is over.
    #[must_use]
    pub fn array(&self) -> Array<'_> {
        // SAFETY: of this kind by the contract of `own`.
        unsafe { Array::new(self.alive().value.arr) }
    }

    /// Whether it is this very array. While it is held, PHP code that changes its variable gets a copy,
    /// so the same array has the same elements, except behind references and inside objects.
    #[must_use]
    pub fn is_same(&self, other: Array<'_>) -> bool {
        // SAFETY: of this kind by the contract of `own`; only the pointer is compared.
        let same = unsafe { self.value.value.arr } == other.raw();
        same && self.is_alive()
    }
}

impl Held<ObjectValue> {
    /// The object.
    ///
    /// # Panics
    /// When its request is over.
    #[must_use]
    pub fn object(&self) -> Object<'_> {
        // SAFETY: of this kind by the contract of `own`.
        unsafe { Object::new(self.alive().value.obj) }
    }
}

impl Held<AnyValue> {
    /// Whether it is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.view(), View::Null)
    }
}

impl Str<'_> {
    /// Keeps the string.
    #[must_use]
    pub fn hold(self) -> Held<StrValue> {
        // SAFETY: alive while borrowed; counted for the new owner.
        unsafe {
            let value = of_string(self.raw());
            add_ref(&raw const value);
            Held::own(value)
        }
    }
}

impl Array<'_> {
    /// Keeps the array as it is now.
    #[must_use]
    pub fn hold(self) -> Held<ArrayValue> {
        // SAFETY: alive while borrowed; counted for the new owner.
        unsafe {
            let value = of_array(self.raw());
            add_ref(&raw const value);
            Held::own(value)
        }
    }
}

impl Object<'_> {
    /// Keeps the object.
    #[must_use]
    pub fn hold(self) -> Held<ObjectValue> {
        let value = of_object(self.raw());
        // SAFETY: alive while borrowed; counted for the new owner.
        unsafe {
            add_ref(&raw const value);
            Held::own(value)
        }
    }
}

impl<K> Clone for Held<K> {
    fn clone(&self) -> Self {
        // SAFETY: alive, so counting is allowed; of the same kind.
        unsafe {
            add_ref(self.alive());
            Self::own(self.value)
        }
    }
}

impl<K> Drop for Held<K> {
    fn drop(&mut self) {
        if self.is_alive() {
            // SAFETY: this owns one reference and is gone after this.
            unsafe { release(&raw mut self.value) }
        }
    }
}

impl<K> ToPhp for Held<K> {
    unsafe fn write(self, slot: *mut zval) {
        let value = *self.alive();
        std::mem::forget(self);
        // SAFETY: by contract of `write`; the reference moves into the slot.
        unsafe { put(slot, value) }
    }
}
