//! Reading arguments, by PHP's own rules and with its own messages in weak and strict mode.
//!
//! Each getter reads the next argument in the stub's order. The fast path is one type check; everything
//! else goes to the engine's own `zend_parse_arg_*_slow`.

use super::array::Array;
use super::call::Call;
use super::ffi::{
    CALL_HAS_EXTRA_NAMED, tag, tag_of, zend_argument_error, zend_ce_type_error,
    zend_parse_arg_bool_slow, zend_parse_arg_double_slow, zend_parse_arg_long_slow,
    zend_parse_arg_number_slow, zend_parse_arg_str_or_long_slow, zend_parse_arg_str_slow,
    zend_string, zend_unexpected_extra_named_error, zval,
};
use super::native::Native;
use super::object::Object;
use super::thrown::{Thrown, c_string};
use super::view::{Number, Str, View};
use super::zval::{add_ref, put, release, undef};
use super::{Class, class};
use std::ffi::CStr;
use std::ptr::null_mut;

/// `string|array`
#[derive(Clone, Copy)]
pub enum StrOrArray<'f> {
    /// A string.
    Str(Str<'f>),
    /// An array.
    Array(Array<'f>),
}

/// `string|int`
#[derive(Clone, Copy)]
pub enum StrOrInt<'f> {
    /// A string.
    Str(Str<'f>),
    /// An integer.
    Int(i64),
}

/// `array|object`
#[derive(Clone, Copy)]
pub enum ArrayOrObject<'f> {
    /// An array.
    Array(Array<'f>),
    /// An object.
    Object(Object<'f>),
}

type Slot = (*mut zval, u32);

impl<'f> Call<'f> {
    /// `string`
    ///
    /// # Errors
    /// PHP's own `\TypeError`, or what a `__toString` threw.
    #[inline(always)]
    pub fn str(&mut self) -> Result<Str<'f>, Thrown> {
        read_str(self.required_slot(), c"string")
    }

    /// The bytes of a `string`.
    ///
    /// # Errors
    /// As [`Call::str`].
    #[inline(always)]
    pub fn bytes(&mut self) -> Result<&'f [u8], Thrown> {
        Ok(self.str()?.bytes())
    }

    /// `int`
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn int(&mut self) -> Result<i64, Thrown> {
        read_int(self.required_slot(), c"int")
    }

    /// `int`, which may be left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn int_or(&mut self, default: i64) -> Result<i64, Thrown> {
        match self.next_slot() {
            Some(slot) => read_int(slot, c"int"),
            None => Ok(default),
        }
    }

    /// `?int`; `None` for null and when left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn int_or_null(&mut self) -> Result<Option<i64>, Thrown> {
        match self.next_not_null() {
            Some(slot) => read_int(slot, c"?int").map(Some),
            None => Ok(None),
        }
    }

    /// `?float`; `None` for null and when left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    pub fn float_or_null(&mut self) -> Result<Option<f64>, Thrown> {
        match self.next_not_null() {
            Some(slot) => read_float(slot, c"?float").map(Some),
            None => Ok(None),
        }
    }

    /// `int|float`
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn number(&mut self) -> Result<Number, Thrown> {
        read_number(self.required_slot(), c"int|float")
    }

    /// `int|float`, which may be left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn number_or(&mut self, default: Number) -> Result<Number, Thrown> {
        match self.next_slot() {
            Some(slot) => read_number(slot, c"int|float"),
            None => Ok(default),
        }
    }

    /// `int|float|null`; `None` for null and when left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    pub fn number_or_null(&mut self) -> Result<Option<Number>, Thrown> {
        match self.next_not_null() {
            Some(slot) => read_number(slot, c"int|float|null").map(Some),
            None => Ok(None),
        }
    }

    /// `bool`, which may be left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline(always)]
    pub fn bool_or(&mut self, default: bool) -> Result<bool, Thrown> {
        match self.next_slot() {
            Some(slot) => read_bool(slot),
            None => Ok(default),
        }
    }

    /// `array`
    ///
    /// # Errors
    /// PHP's own `\TypeError`.
    #[inline]
    pub fn array(&mut self) -> Result<Array<'f>, Thrown> {
        let slot = self.required_slot();
        as_array(slot).ok_or_else(|| wrong_type(slot, c"array"))
    }

    /// `array`, or `?array`, which may be left out (`None`, as for null).
    ///
    /// # Errors
    /// PHP's own `\TypeError`, with `expected` as the type: `c"array"` or `c"?array"`.
    pub fn array_or_none(&mut self, expected: &CStr) -> Result<Option<Array<'f>>, Thrown> {
        let nullable = expected.to_bytes().starts_with(b"?");
        match self.next_slot() {
            None => Ok(None),
            // SAFETY: argument slots are initialised.
            Some((value, _)) if nullable && unsafe { tag_of(value) } == tag::NULL => Ok(None),
            Some(slot) => as_array(slot)
                .map(Some)
                .ok_or_else(|| wrong_type(slot, expected)),
        }
    }

    /// `string|array`, which may be left out (`None`).
    ///
    /// # Errors
    /// PHP's own `\TypeError`, or what a `__toString` threw.
    pub fn str_or_array(&mut self) -> Result<Option<StrOrArray<'f>>, Thrown> {
        match self.next_slot() {
            Some(slot) => read_str_or_array(slot, c"array|string").map(Some),
            None => Ok(None),
        }
    }

    /// `array|string|null`; `None` for null and when left out.
    ///
    /// # Errors
    /// PHP's own `\TypeError`, or what a `__toString` threw.
    pub fn str_or_array_or_null(&mut self) -> Result<Option<StrOrArray<'f>>, Thrown> {
        match self.next_not_null() {
            Some(slot) => read_str_or_array(slot, c"array|string|null").map(Some),
            None => Ok(None),
        }
    }

    /// `array|object|null`; `None` for null and when left out.
    ///
    /// # Errors
    /// `\TypeError` in PHP's words.
    #[inline]
    pub fn array_or_object_or_null(&mut self) -> Result<Option<ArrayOrObject<'f>>, Thrown> {
        let Some(slot) = self.next_not_null() else {
            return Ok(None);
        };
        // SAFETY: the slot owns its value as long as the frame lives, and is not handed out again.
        match unsafe { View::new(slot.0) } {
            View::Array(array) => Ok(Some(ArrayOrObject::Array(array))),
            View::Object(object) => Ok(Some(ArrayOrObject::Object(object))),
            _ => Err(wrong_type(slot, c"object|array|null")),
        }
    }

    /// `object`
    ///
    /// # Errors
    /// `\TypeError` in PHP's words.
    pub fn object(&mut self) -> Result<Object<'f>, Thrown> {
        let slot = self.required_slot();
        // SAFETY: as in `array_or_object_or_null`.
        match unsafe { View::new(slot.0) } {
            View::Object(object) => Ok(object),
            _ => Err(wrong_type(slot, c"object")),
        }
    }

    /// An object of one of our final classes.
    ///
    /// # Errors
    /// `\TypeError` in PHP's words.
    pub fn object_of<T: Native>(&mut self) -> Result<Object<'f>, Thrown> {
        let slot = self.required_slot();
        // SAFETY: as in `array_or_object_or_null`.
        match unsafe { View::new(slot.0) } {
            View::Object(object) if object.is::<T>() => Ok(object),
            _ => Err(wrong_class(slot, T::CLASS)),
        }
    }

    /// `mixed`, which may be left out (`None`).
    pub fn mixed(&mut self) -> Option<View<'f>> {
        let (slot, _) = self.next_slot()?;
        // SAFETY: as in `array_or_object_or_null`.
        Some(unsafe { View::new(slot) })
    }

    /// The next of `string|int ...$name`; `None` after the last.
    ///
    /// # Errors
    /// PHP's own `\TypeError`, what a `__toString` threw, or `\ArgumentCountError` for unknown names.
    pub fn next_str_or_int(&mut self) -> Result<Option<StrOrInt<'f>>, Thrown> {
        match self.next_slot() {
            Some(slot) => read_str_or_int(slot).map(Some),
            None => self.no_extra_named().map(|()| None),
        }
    }

    /// Refuses named arguments that the engine has gathered for a variadic method.
    fn no_extra_named(&self) -> Result<(), Thrown> {
        // SAFETY: `This` of a live frame keeps the call info in its type info.
        unsafe {
            if (*self.frame()).This.u1.type_info & CALL_HAS_EXTRA_NAMED == 0 {
                return Ok(());
            }
            zend_unexpected_extra_named_error();
        }
        Err(Thrown::pending())
    }

    /// The next slot; `None` when it was left out or is null.
    #[inline(always)]
    fn next_not_null(&mut self) -> Option<Slot> {
        let (value, number) = self.next_slot()?;
        // SAFETY: argument slots are initialised.
        (unsafe { tag_of(value) } != tag::NULL).then_some((value, number))
    }
}

#[inline(always)]
fn read_str<'f>((value, number): Slot, expected: &'static CStr) -> Result<Str<'f>, Thrown> {
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
fn read_int((value, number): Slot, expected: &'static CStr) -> Result<i64, Thrown> {
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

fn read_float((value, number): Slot, expected: &'static CStr) -> Result<f64, Thrown> {
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
fn read_number((value, number): Slot, expected: &'static CStr) -> Result<Number, Thrown> {
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
fn read_bool((value, number): Slot) -> Result<bool, Thrown> {
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
fn as_array<'f>((value, _): Slot) -> Option<Array<'f>> {
    // SAFETY: the slot owns its array as long as the frame lives, and is not handed out again.
    unsafe { (tag_of(value) == tag::ARRAY).then(|| Array::new((*value).value.arr)) }
}

fn read_str_or_array<'f>(slot: Slot, expected: &'static CStr) -> Result<StrOrArray<'f>, Thrown> {
    match as_array(slot) {
        Some(array) => Ok(StrOrArray::Array(array)),
        None => read_str(slot, expected).map(StrOrArray::Str),
    }
}

fn read_str_or_int<'f>((value, number): Slot) -> Result<StrOrInt<'f>, Thrown> {
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
fn wrong_type((value, number): Slot, expected: &CStr) -> Thrown {
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
fn wrong_class(slot: Slot, class: Class) -> Thrown {
    wrong_type(slot, &c_string(class::name(class).to_owned()))
}
