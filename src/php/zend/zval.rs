//! Writing Rust values into zvals.

use super::ffi::{
    ARRAY_EX, COUNTED, GC_IMMUTABLE, OBJECT_EX, STRING_EX, ext_php_rs_zend_string_init, tag,
    zend_array, zend_object, zend_string, zval, zval_ptr_dtor,
};
use super::view::{Number, Str, View};

/// A value that can be given to PHP: returned, put into an array, passed to a PHP method.
///
/// Implemented in this layer only, since writing a zval is unsafe.
pub trait ToPhp {
    /// Writes the value.
    ///
    /// # Safety
    /// `slot` is a zval that may be overwritten without being released, on a thread that is inside a
    /// PHP request.
    unsafe fn write(self, slot: *mut zval);
}

/// An uninitialised zval (`IS_UNDEF`).
pub(super) const fn undef() -> zval {
    // SAFETY: all-zero bytes are IS_UNDEF, and every union member is plain data.
    unsafe { std::mem::zeroed() }
}

/// # Safety
/// `slot` may be overwritten.
#[inline(always)]
pub(super) unsafe fn set_type(slot: *mut zval, type_info: u32) {
    // SAFETY: by contract.
    unsafe { (*slot).u1.type_info = type_info }
}

/// Copies value and type, as `ZVAL_COPY_VALUE`: the engine keeps links and flags in `u2`.
///
/// # Safety
/// `slot` may be overwritten; the reference that `value` owns moves into it.
#[inline(always)]
pub(super) unsafe fn put(slot: *mut zval, value: zval) {
    // SAFETY: by contract.
    unsafe {
        (*slot).value = value.value;
        (*slot).u1 = value.u1;
    }
}

/// Counts one more owner of what the zval refers to.
///
/// # Safety
/// `value` is initialised and what it refers to is alive.
#[inline]
pub(super) unsafe fn add_ref(value: *const zval) {
    // SAFETY: the flag says that `counted` is the active member and counts.
    unsafe {
        if (*value).u1.type_info & COUNTED != 0 {
            (*(*value).value.counted).gc.refcount += 1;
        }
    }
}

/// Releases what the zval owns. May run PHP destructors.
///
/// # Safety
/// `value` owns one reference and is not used again.
#[inline]
pub(super) unsafe fn release(value: *mut zval) {
    // SAFETY: by contract.
    unsafe {
        if (*value).u1.type_info & COUNTED != 0 {
            zval_ptr_dtor(value.cast());
        }
    }
}

/// A zval for a string, without counting.
///
/// # Safety
/// `string` is alive.
pub(super) unsafe fn of_string(string: *mut zend_string) -> zval {
    let mut value = undef();
    value.value.str_ = string;
    // SAFETY: by contract. Interned strings are not counted.
    unsafe {
        let interned = (*string).gc.u.type_info & GC_IMMUTABLE != 0;
        set_type(
            &raw mut value,
            if interned {
                u32::from(tag::STRING)
            } else {
                STRING_EX
            },
        );
    }
    value
}

/// A zval for an array, without counting.
///
/// # Safety
/// `array` is alive.
pub(super) unsafe fn of_array(array: *mut zend_array) -> zval {
    let mut value = undef();
    value.value.arr = array;
    // SAFETY: by contract. Immutable arrays (literals) are not counted.
    unsafe {
        let immutable = (*array).gc.u.type_info & GC_IMMUTABLE != 0;
        set_type(
            &raw mut value,
            if immutable {
                u32::from(tag::ARRAY)
            } else {
                ARRAY_EX
            },
        );
    }
    value
}

/// A zval for an object, without counting.
pub(super) fn of_object(object: *mut zend_object) -> zval {
    let mut value = undef();
    value.value.obj = object;
    // SAFETY: `value` is ours.
    unsafe { set_type(&raw mut value, OBJECT_EX) };
    value
}

impl ToPhp for () {
    #[inline(always)]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe { set_type(slot, u32::from(tag::NULL)) }
    }
}

impl ToPhp for bool {
    #[inline(always)]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe { set_type(slot, u32::from(tag::FALSE) + u32::from(self)) }
    }
}

impl ToPhp for i64 {
    #[inline(always)]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe {
            (*slot).value.lval = self;
            set_type(slot, u32::from(tag::LONG));
        }
    }
}

impl ToPhp for f64 {
    #[inline(always)]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe {
            (*slot).value.dval = self;
            set_type(slot, u32::from(tag::DOUBLE));
        }
    }
}

impl ToPhp for Number {
    #[inline]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe {
            match self {
                Number::Int(value) => value.write(slot),
                Number::Float(value) => value.write(slot),
            }
        }
    }
}

impl ToPhp for &[u8] {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: the engine copies the bytes; empty and one-byte strings come back interned.
        unsafe {
            let string = ext_php_rs_zend_string_init(self.as_ptr().cast(), self.len(), false);
            put(slot, of_string(string));
        }
    }
}

impl ToPhp for &str {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe { self.as_bytes().write(slot) }
    }
}

impl ToPhp for Vec<u8> {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe { self.as_slice().write(slot) }
    }
}

impl ToPhp for String {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe { self.as_bytes().write(slot) }
    }
}

impl ToPhp for Str<'_> {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: alive while borrowed; counted for the slot.
        unsafe {
            put(slot, of_string(self.raw()));
            add_ref(slot);
        }
    }
}

/// The same value, shared. A resource becomes null.
impl ToPhp for View<'_> {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: alive while borrowed; counted for the slot.
        unsafe {
            match self {
                View::Null | View::Resource => ().write(slot),
                View::Bool(flag) => flag.write(slot),
                View::Int(value) => value.write(slot),
                View::Float(value) => value.write(slot),
                View::Str(string) => string.write(slot),
                View::Array(array) => {
                    put(slot, of_array(array.raw()));
                    add_ref(slot);
                }
                View::Object(object) => {
                    put(slot, of_object(object.raw()));
                    add_ref(slot);
                }
            }
        }
    }
}

/// `None` is null.
/// One of two kinds of value.
pub enum Either<A, B> {
    /// The first kind.
    A(A),
    /// The second kind.
    B(B),
}

impl<A: ToPhp, B: ToPhp> ToPhp for Either<A, B> {
    #[inline]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe {
            match self {
                Either::A(value) => value.write(slot),
                Either::B(value) => value.write(slot),
            }
        }
    }
}

impl<T: ToPhp> ToPhp for Option<T> {
    #[inline]
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract.
        unsafe {
            match self {
                Some(value) => value.write(slot),
                None => ().write(slot),
            }
        }
    }
}
