//! Borrowed views of PHP values, and the owned copy used for configs.

use super::array::{Array, Key};
use super::call::Call;
use super::ffi::{
    STRING_INTERNED, exception_pending, tag, tag_of, zend_string, zval, zval_get_string_func,
};
use super::held::{Held, StrValue};
use super::object::Object;
use super::thrown::Thrown;
use super::zval::{ToPhp, of_string, release, undef};
use crate::client::input::{Input, InputKey};
pub use crate::stats::number::Number;
use std::borrow::Cow;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A borrowed PHP string. Two with equal [`Str::as_ptr`] and length are the same string.
#[derive(Clone, Copy)]
pub struct Str<'a> {
    string: NonNull<zend_string>,
    borrow: PhantomData<&'a [u8]>,
}

impl<'a> Str<'a> {
    /// # Safety
    /// `string` is not null, alive and unchanged for `'a`.
    #[inline(always)]
    pub(super) unsafe fn new(string: *mut zend_string) -> Self {
        Self {
            // SAFETY: by contract.
            string: unsafe { NonNull::new_unchecked(string) },
            borrow: PhantomData,
        }
    }

    /// Its bytes.
    #[inline(always)]
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: alive for 'a by the contract of `new`; `val` is followed by `len` bytes.
        unsafe {
            let string = self.string.as_ptr();
            std::slice::from_raw_parts((&raw const (*string).val).cast(), (*string).len)
        }
    }

    /// The identity of the string.
    #[inline(always)]
    #[must_use]
    pub fn as_ptr(self) -> *const u8 {
        self.string.as_ptr().cast()
    }

    /// Whether the engine keeps it until the request ends at least, and no other like it: literals of PHP code are.
    #[inline(always)]
    #[must_use]
    pub fn is_interned(self) -> bool {
        // SAFETY: alive by the contract of `new`.
        unsafe { (*self.string.as_ptr()).gc.u.type_info & STRING_INTERNED != 0 }
    }

    pub(super) fn raw(self) -> *mut zend_string {
        self.string.as_ptr()
    }
}

/// A borrowed PHP value, references followed.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// null (or an unset value).
    Null,
    /// true or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Str(Str<'a>),
    /// An array.
    Array(Array<'a>),
    /// An object.
    Object(Object<'a>),
    /// An open or closed resource.
    Resource,
}

impl<'a> View<'a> {
    /// # Safety
    /// `value` is initialised and no reference; what it refers to is alive and unchanged for `'a`.
    #[inline(always)]
    pub(super) unsafe fn new(value: *const zval) -> Self {
        // SAFETY: by contract; the tag names the active member.
        unsafe {
            match tag_of(value) {
                tag::UNDEF | tag::NULL => Self::Null,
                tag::FALSE => Self::Bool(false),
                tag::TRUE => Self::Bool(true),
                tag::LONG => Self::Int((*value).value.lval),
                tag::DOUBLE => Self::Float((*value).value.dval),
                tag::STRING => Self::Str(Str::new((*value).value.str_)),
                tag::ARRAY => Self::Array(Array::new((*value).value.arr)),
                tag::OBJECT => Self::Object(Object::new((*value).value.obj)),
                _ => Self::Resource,
            }
        }
    }

    /// The type as PHP's messages name it: `int`, `string`, the class of an object.
    #[must_use]
    pub fn type_name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "string",
            Self::Array(_) => "array",
            Self::Object(object) => {
                // Names of anonymous classes go on after a NUL.
                let name = object.class_name().split(|&byte| byte == 0).next();
                return Cow::Owned(String::from_utf8_lossy(name.unwrap_or_default()).into_owned());
            }
            Self::Resource => "resource",
        })
    }

    /// The value as a string, as `(string)` makes it of scalars, null and objects that can be converted.
    ///
    /// # Errors
    /// What a `__toString` threw, or PHP's own for an object that cannot be converted. An array is "Array", with
    /// PHP's warning: the caller tells them before.
    pub fn text(self) -> Result<Held<StrValue>, Thrown> {
        if let Self::Str(string) = self {
            return Ok(string.hold());
        }
        let mut value = undef();
        // SAFETY: the copy owns a reference of its own, which is released; the engine answers with a string that
        // is ours, empty when there is an exception.
        unsafe {
            self.write(&raw mut value);
            let string = zval_get_string_func(&raw mut value);
            release(&raw mut value);
            let string = Held::own(of_string(string));
            if exception_pending() {
                return Err(Thrown::pending());
            }
            Ok(string)
        }
    }

    /// The bytes of a string, or the digits of an int written to `digits`; `None` for anything else.
    #[inline]
    pub fn str_or_int<'b>(self, digits: &'b mut Digits) -> Option<&'b [u8]>
    where
        'a: 'b,
    {
        match self {
            Self::Str(string) => Some(string.bytes()),
            Self::Int(value) => Some(digits.format(value)),
            _ => None,
        }
    }
}

/// Room for the decimal digits of an int.
#[derive(Default)]
pub struct Digits(itoa::Buffer);

impl Digits {
    /// Writes `value` in decimal.
    #[inline]
    pub fn format(&mut self, value: i64) -> &[u8] {
        self.0.format(value).as_bytes()
    }
}

/// Arrays nested deeper are cut: by references they can contain themselves.
const MAX_DEPTH: u32 = 8;

/// An owned copy of a PHP value, objects only as such: what a config array is read into. Arrays
/// below the eighth level come out empty.
#[must_use]
pub fn copy<'f: 'a, 'a>(view: View<'a>, call: &Call<'f>) -> Input {
    copy_to_depth(view, call, MAX_DEPTH)
}

fn copy_to_depth<'f: 'a, 'a>(view: View<'a>, call: &Call<'f>, depth: u32) -> Input {
    match view {
        View::Null => Input::Null,
        View::Bool(value) => Input::Bool(value),
        View::Int(value) => Input::Int(value),
        View::Float(value) => Input::Float(value),
        View::Str(string) => Input::Bytes(string.bytes().to_vec()),
        View::Array(_) if depth == 0 => Input::Array(Vec::new()),
        View::Array(array) => {
            let mut entries = Vec::with_capacity(array.len());
            for (key, value) in array.iter(call) {
                entries.push((owned_key(key), copy_to_depth(value, call, depth - 1)));
            }
            Input::Array(entries)
        }
        View::Object(_) | View::Resource => Input::Other(view.type_name().into_owned()),
    }
}

/// Whether [`copy`] of the view would give this value.
#[must_use]
pub fn is_copy<'f: 'a, 'a>(view: View<'a>, value: &Input, call: &Call<'f>) -> bool {
    match (view, value) {
        (View::Null, Input::Null) => true,
        (View::Bool(a), Input::Bool(b)) => a == *b,
        (View::Int(a), Input::Int(b)) => a == *b,
        (View::Float(a), Input::Float(b)) => a == *b,
        (View::Str(a), Input::Bytes(b)) => a.bytes() == b.as_slice(),
        (View::Array(a), Input::Array(b)) => {
            a.len() == b.len()
                && a.iter(call).zip(b).all(|((key, view), (owned, value))| {
                    let same_key = match (key, owned) {
                        (Key::Int(a), InputKey::Int(b)) => a == *b,
                        (Key::Str(a), InputKey::Bytes(b)) => a.bytes() == b.as_slice(),
                        _ => false,
                    };
                    same_key && is_copy(view, value, call)
                })
        }
        _ => false,
    }
}

fn owned_key(key: Key<'_>) -> InputKey {
    match key {
        Key::Int(index) => InputKey::Int(index),
        Key::Str(name) => InputKey::Bytes(name.bytes().to_vec()),
    }
}
