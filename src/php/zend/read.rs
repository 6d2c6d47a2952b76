//! From an argument's slot to a Rust value: the fast path is one type check, everything else goes to the
//! engine's own `zend_parse_arg_*_slow`.

use super::args::{StrOrArray, StrOrInt};
use super::array::Array;
use super::ffi::{
    tag, tag_of, zend_argument_error, zend_ce_type_error, zend_parse_arg_bool_slow,
    zend_parse_arg_double_slow, zend_parse_arg_long_slow, zend_parse_arg_number_slow,
    zend_parse_arg_str_or_long_slow, zend_parse_arg_str_slow, zend_string, zval,
};
use super::thrown::{Thrown, c_string};
use super::view::{Number, Str};
use super::zval::{add_ref, put, release, undef};
use super::{Class, class};
use std::ffi::CStr;
use std::ptr::null_mut;

/// An argument's slot and its number, counted from 1. Each is read once: see `Call::next_slot`.
pub(super) type Slot = (*mut zval, u32);

#[inline(always)]
pub(super) fn read_str<'f>(
    (value, number): Slot,
    expected: &'static CStr,
) -> Result<Str<'f>, Thrown> {
    // SAFETY: the slot owns its string as long as the frame lives, and is not handed out again.
    unsafe {
        if tag_of(value) == tag::STRING {
            return Ok(Str::new((*value).value.str_));
        }
    }
    coerce_str((value, number), expected)
}

#[cold]
#[inline(never)]
fn coerce_str<'f>((value, number): Slot, expected: &'static CStr) -> Result<Str<'f>, Thrown> {
    let mut string: *mut zend_string = null_mut();
    // SAFETY: an argument slot of the current frame. The engine puts the converted string into the slot.
    unsafe {
        if zend_parse_arg_str_slow(value, &raw mut string, number) {
            return Ok(Str::new(string));
        }
    }
    Err(wrong_type((value, number), expected))
}

#[inline(always)]
pub(super) fn read_int((value, number): Slot, expected: &'static CStr) -> Result<i64, Thrown> {
    // SAFETY: argument slots are initialised; the tag names the member.
    unsafe {
        if tag_of(value) == tag::LONG {
            return Ok((*value).value.lval);
        }
    }
    coerce_int((value, number), expected)
}

#[cold]
#[inline(never)]
fn coerce_int((value, number): Slot, expected: &'static CStr) -> Result<i64, Thrown> {
    let mut int = 0;
    // SAFETY: an argument slot of the current frame.
    if unsafe { zend_parse_arg_long_slow(value, &raw mut int, number) } {
        return Ok(int);
    }
    Err(wrong_type((value, number), expected))
}

pub(super) fn read_float((value, number): Slot, expected: &'static CStr) -> Result<f64, Thrown> {
    let mut float = 0.0;
    // SAFETY: an argument slot of the current frame; the tag names the member.
    unsafe {
        if tag_of(value) == tag::DOUBLE {
            return Ok((*value).value.dval);
        }
        if zend_parse_arg_double_slow(value, &raw mut float, number) {
            return Ok(float);
        }
    }
    Err(wrong_type((value, number), expected))
}

#[inline(always)]
pub(super) fn read_number(
    (value, number): Slot,
    expected: &'static CStr,
) -> Result<Number, Thrown> {
    // SAFETY: argument slots are initialised; the tag names the member.
    unsafe {
        match tag_of(value) {
            tag::LONG => Ok(Number::Int((*value).value.lval)),
            tag::DOUBLE => Ok(Number::Float((*value).value.dval)),
            _ => coerce_number((value, number), expected),
        }
    }
}

#[cold]
#[inline(never)]
fn coerce_number((value, number): Slot, expected: &'static CStr) -> Result<Number, Thrown> {
    let mut copy = undef();
    let mut parsed: *mut zval = null_mut();
    // SAFETY: an argument slot of the current frame; the engine converts in place, so it gets a copy that
    // owns a reference of its own. After a success the copy is a number.
    unsafe {
        add_ref(value);
        put(&raw mut copy, *value);
        if zend_parse_arg_number_slow(&raw mut copy, &raw mut parsed, number) {
            return Ok(match tag_of(&raw const copy) {
                tag::DOUBLE => Number::Float(copy.value.dval),
                _ => Number::Int(copy.value.lval),
            });
        }
        release(&raw mut copy);
    }
    Err(wrong_type((value, number), expected))
}

#[inline(always)]
pub(super) fn read_bool((value, number): Slot) -> Result<bool, Thrown> {
    let mut flag = false;
    // SAFETY: an argument slot of the current frame.
    unsafe {
        match tag_of(value) {
            tag::TRUE => return Ok(true),
            tag::FALSE => return Ok(false),
            _ => {}
        }
        if zend_parse_arg_bool_slow(value, &raw mut flag, number) {
            return Ok(flag);
        }
    }
    Err(wrong_type((value, number), c"bool"))
}

#[inline]
pub(super) fn as_array<'f>((value, _): Slot) -> Option<Array<'f>> {
    // SAFETY: the slot owns its array as long as the frame lives, and is not handed out again.
    unsafe { (tag_of(value) == tag::ARRAY).then(|| Array::new((*value).value.arr)) }
}

pub(super) fn read_str_or_array<'f>(
    slot: Slot,
    expected: &'static CStr,
) -> Result<StrOrArray<'f>, Thrown> {
    match as_array(slot) {
        Some(array) => Ok(StrOrArray::Array(array)),
        None => read_str(slot, expected).map(StrOrArray::Str),
    }
}

pub(super) fn read_str_or_int<'f>((value, number): Slot) -> Result<StrOrInt<'f>, Thrown> {
    let mut string: *mut zend_string = null_mut();
    let mut int = 0;
    // SAFETY: an argument slot of the current frame, which owns the string it has or is given.
    unsafe {
        match tag_of(value) {
            tag::STRING => return Ok(StrOrInt::Str(Str::new((*value).value.str_))),
            tag::LONG => return Ok(StrOrInt::Int((*value).value.lval)),
            _ => {}
        }
        if zend_parse_arg_str_or_long_slow(value, &raw mut string, &raw mut int, number) {
            return Ok(if string.is_null() {
                StrOrInt::Int(int)
            } else {
                StrOrInt::Str(Str::new(string))
            });
        }
    }
    Err(wrong_type((value, number), c"string|int"))
}

#[cold]
#[inline(never)]
pub(super) fn wrong_type((value, number): Slot, expected: &CStr) -> Thrown {
    // SAFETY: an argument of the current frame. The engine does nothing when an exception is pending.
    unsafe {
        #[cfg(not(php83))]
        let given = super::ffi::zend_zval_type_name(value);
        #[cfg(php83)]
        let given = super::ffi::zend_zval_value_name(value);
        zend_argument_error(
            zend_ce_type_error,
            number,
            c"must be of type %s, %s given".as_ptr(),
            expected.as_ptr(),
            given,
        );
    }
    Thrown::pending()
}

#[cold]
pub(super) fn wrong_class(slot: Slot, class: Class) -> Thrown {
    wrong_type(slot, &c_string(class::name(class).to_owned()))
}
