//! Reading arguments, by PHP's own rules and with its own messages in weak and strict mode.
//!
//! Each getter reads the next argument in the stub's order; how is in `read.rs`.

use super::array::Array;
use super::call::Call;
use super::ffi::{CALL_HAS_EXTRA_NAMED, tag, tag_of, zend_unexpected_extra_named_error};
use super::native::Native;
use super::object::Object;
use super::read::{
    Slot, as_array, read_bool, read_float, read_int, read_number, read_str, read_str_or_array,
    read_str_or_int, wrong_class, wrong_type,
};
use super::thrown::Thrown;
use super::view::{Digits, Number, Str, View};
use std::ffi::CStr;

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

impl<'f> StrOrInt<'f> {
    /// The string's bytes, or the digits of the int written to `digits`.
    #[inline]
    pub fn bytes<'b>(self, digits: &'b mut Digits) -> &'b [u8]
    where
        'f: 'b,
    {
        match self {
            Self::Str(string) => string.bytes(),
            Self::Int(value) => digits.format(value),
        }
    }
}

/// `array|object`
#[derive(Clone, Copy)]
pub enum ArrayOrObject<'f> {
    /// An array.
    Array(Array<'f>),
    /// An object.
    Object(Object<'f>),
}

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
