//! PHP objects as arguments: identity, class, properties, native state.

use super::array::Array;
use super::callback::{self, Argument};
use super::class;
use super::ffi::{
    ZEND_ACC_STATIC, behind, exception_pending, tag, tag_of, zend_class_entry, zend_hash_str_find,
    zend_hash_str_find_ptr_lc, zend_object, zend_property_info, zend_read_property, zval,
};
use super::held::{AnyValue, Held};
use super::native::{self, Native};
use super::tables::Class;
use super::thrown::Thrown;
use super::view::Str;
use super::zval::{add_ref, put, undef};
use std::cell::{Ref, RefMut};
use std::marker::PhantomData;
use std::mem::offset_of;
use std::ptr::NonNull;

/// A borrowed PHP object.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    object: NonNull<zend_object>,
    borrow: PhantomData<&'a [u8]>,
}

impl<'a> Object<'a> {
    /// # Safety
    /// `object` is not null and alive for `'a`.
    #[inline(always)]
    pub(super) unsafe fn new(object: *mut zend_object) -> Self {
        Self {
            // SAFETY: by contract.
            object: unsafe { NonNull::new_unchecked(object) },
            borrow: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn raw(self) -> *mut zend_object {
        self.object.as_ptr()
    }

    /// The identity of the object.
    #[must_use]
    pub fn as_ptr(self) -> *const u8 {
        self.object.as_ptr().cast()
    }

    /// Its class, as declared.
    #[must_use]
    pub fn class_name(self) -> &'a [u8] {
        // SAFETY: alive by the contract of `new`; a class outlives its objects.
        unsafe { Str::new((*(*self.raw()).ce).name).bytes() }
    }

    /// Whether its class declares (or inherits) a method, whatever the case of the name.
    #[must_use]
    pub fn has_method(self, name: &str) -> bool {
        // SAFETY: as above; a lookup changes nothing.
        unsafe {
            let methods = &raw const (*(*self.raw()).ce).function_table;
            !zend_hash_str_find_ptr_lc(methods, name.as_ptr().cast(), name.len()).is_null()
        }
    }

    /// Calls a public method.
    ///
    /// # Errors
    /// The exception that it threw, or PHP's own when there is no such method.
    pub fn call(self, method: &str, arguments: &[Argument<'_>]) -> Result<Held<AnyValue>, Thrown> {
        // SAFETY: alive by the contract of `new`.
        unsafe { callback::call_method(self.raw(), method, arguments) }
    }

    /// The value of a property as code outside of its class sees it; `None` when there is none.
    ///
    /// # Errors
    /// What `__get`, a hook or the engine threw.
    pub fn property(self, name: &str) -> Result<Option<Held<AnyValue>>, Thrown> {
        // Without a scope the engine takes that of the running method: one of our classes.
        self.property_in(std::ptr::null_mut(), name)
    }

    /// As [`Object::property`], as code of `class` sees it.
    ///
    /// # Errors
    /// As [`Object::property`].
    pub fn own_property(self, class: Class, name: &str) -> Result<Option<Held<AnyValue>>, Thrown> {
        self.property_in(class::entry(class), name)
    }

    fn property_in(
        self,
        scope: *mut zend_class_entry,
        name: &str,
    ) -> Result<Option<Held<AnyValue>>, Thrown> {
        let mut room = undef();
        // SAFETY: alive by the contract of `new`. The engine answers with a borrowed zval or with `room`.
        unsafe {
            let found = zend_read_property(
                scope,
                self.raw(),
                name.as_ptr().cast(),
                name.len(),
                true,
                (&raw mut room).cast(),
            )
            .cast::<zval>();
            let mut value = undef();
            if !found.is_null() {
                let inner = if tag_of(found) == tag::REFERENCE {
                    behind(found)
                } else {
                    found.cast_const()
                };
                add_ref(inner);
                put(&raw mut value, *inner);
            }
            if found == &raw mut room {
                super::zval::release(&raw mut room);
            }
            let value = Held::<AnyValue>::own(value);
            if exception_pending() {
                return Err(Thrown::pending());
            }
            Ok((!value.is_null()).then_some(value))
        }
    }

    /// The array in a property that its class declares or inherits, whoever may see it; `None` when there is none.
    #[must_use]
    pub fn array_in(self, property: &str) -> Option<Array<'a>> {
        const TABLE: usize = offset_of!(zend_object, properties_table);
        // SAFETY: alive by the contract of `new`; a lookup changes nothing. The class names the places of its
        // properties in bytes from the object's start (static ones, and the virtual ones of PHP 8.4, by numbers outside
        // of the table).
        unsafe {
            let class = &*(*self.raw()).ce;
            let info = zend_hash_str_find(
                &class.properties_info,
                property.as_ptr().cast(),
                property.len(),
            )
            .cast::<zval>();
            if info.is_null() {
                return None;
            }
            let info = &*(*info).value.ptr.cast::<zend_property_info>();
            let place = (info.offset as usize).checked_sub(TABLE)?;
            let is_static = info.flags & ZEND_ACC_STATIC != 0;
            if is_static || place / size_of::<zval>() >= class.default_properties_count as usize {
                return None;
            }
            let value = self.raw().cast::<u8>().add(TABLE + place).cast::<zval>();
            (tag_of(value) == tag::ARRAY).then(|| Array::new((*value).value.arr))
        }
    }

    /// The state of one of our own objects; `None` when it is no constructed `T`, or is in use.
    #[must_use]
    pub fn state<T: Native>(self) -> Option<Ref<'a, T>> {
        // SAFETY: alive for 'a by the contract of `new`.
        let cell = unsafe { native::cell::<T>(self.raw()) }?;
        Ref::filter_map(cell.try_borrow().ok()?, Option::as_ref).ok()
    }

    /// As [`Object::state`], to be changed.
    #[must_use]
    pub fn state_mut<T: Native>(self) -> Option<RefMut<'a, T>> {
        // SAFETY: alive for 'a by the contract of `new`.
        let cell = unsafe { native::cell::<T>(self.raw()) }?;
        RefMut::filter_map(cell.try_borrow_mut().ok()?, Option::as_mut).ok()
    }
}
