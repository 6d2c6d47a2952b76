//! Walking PHP arrays.

use super::args::StrOrInt;
use super::call::{Call, Pins};
use super::ffi::{
    Bucket, HASH_PACKED, behind, tag, tag_of, zend_array, zend_hash_index_find, zend_hash_str_find,
    zval,
};
use super::held::{AnyValue, Held};
use super::new_array::numeric;
use super::view::{Digits, Str, View};
use super::zval::add_ref;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A borrowed PHP array.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    array: NonNull<zend_array>,
    borrow: PhantomData<&'a [u8]>,
}

/// A key of a PHP array: decimal strings that fit an int are ints, as PHP makes them.
#[derive(Clone, Copy)]
pub enum Key<'a> {
    /// An integer key.
    Int(i64),
    /// A string key.
    Str(Str<'a>),
}

impl<'a> Key<'a> {
    /// The key as it was before PHP made an int of it.
    #[inline]
    pub fn bytes<'b>(self, digits: &'b mut Digits) -> &'b [u8]
    where
        'a: 'b,
    {
        match self {
            Self::Int(index) => digits.format(index),
            Self::Str(name) => name.bytes(),
        }
    }
}

impl<'a> Array<'a> {
    /// # Safety
    /// `array` is not null, and alive and unchanged for `'a`, its elements that are no references too.
    #[inline(always)]
    pub(super) unsafe fn new(array: *mut zend_array) -> Self {
        Self {
            // SAFETY: by contract.
            array: unsafe { NonNull::new_unchecked(array) },
            borrow: PhantomData,
        }
    }

    /// How many elements it has.
    #[must_use]
    pub fn len(self) -> usize {
        // SAFETY: alive by the contract of `new`.
        unsafe { (*self.array.as_ptr()).nNumOfElements as usize }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The identity of the array.
    #[must_use]
    pub fn as_ptr(self) -> *const u8 {
        self.array.as_ptr().cast()
    }

    pub(super) fn raw(self) -> *mut zend_array {
        self.array.as_ptr()
    }

    /// Its elements in order, references followed.
    ///
    /// What hangs behind a reference is pinned until the call ends, so that it stays alive when PHP
    /// code that runs meanwhile changes the variable.
    #[inline]
    pub fn iter<'c, 'f: 'a>(self, call: &'c Call<'f>) -> Iter<'a, 'c> {
        // SAFETY: alive by the contract of `new`. The table holds `nNumUsed` entries: plain zvals when
        // the packed flag is set (from PHP 8.2), else buckets. An array without a table has none used.
        unsafe {
            let array = &*self.array.as_ptr();
            let packed = cfg!(php82) && array.u.flags & HASH_PACKED != 0;
            let (start, size): (*const u8, usize) = if packed {
                (table(array).cast(), size_of::<zval>())
            } else {
                (table(array).cast(), size_of::<Bucket>())
            };
            Iter {
                start,
                at: start,
                end: start.add(size * array.nNumUsed as usize),
                packed,
                left: array.nNumOfElements as usize,
                pins: call.pins(),
                borrow: PhantomData,
            }
        }
    }

    /// Whether it holds nothing but scalars, nulls and such arrays, none of them behind a reference: then it is the
    /// same as long as it is held.
    #[must_use]
    pub fn is_plain(self) -> bool {
        // SAFETY: alive by the contract of `new`.
        unsafe { is_plain(self.array.as_ptr(), MAX_DEPTH) }
    }

    /// Whether all elements are strings and ints, none behind a reference, and `holds` for each. Nothing has to be pinned
    /// for that, and no PHP code runs.
    #[inline]
    pub fn all_str_or_int(self, mut holds: impl FnMut(StrOrInt<'a>) -> bool) -> bool {
        // SAFETY: alive by the contract of `new`, with what it holds.
        unsafe {
            entries(self.array.as_ptr()).all(|value| match tag_of(value) {
                tag::STRING => holds(StrOrInt::Str(Str::new((*value).value.str_))),
                tag::LONG => holds(StrOrInt::Int((*value).value.lval)),
                tag => tag == tag::UNDEF,
            })
        }
    }

    /// The element that `$array[$key]` gives: decimal keys that fit an int are ints.
    #[must_use]
    pub fn find(self, key: &[u8]) -> Option<Held<AnyValue>> {
        // SAFETY: alive by the contract of `new`; a lookup changes nothing. What was found is counted for the
        // new owner.
        unsafe {
            let found = match numeric(key) {
                Some(index) => zend_hash_index_find(self.array.as_ptr(), index),
                None => {
                    let array = self.array.as_ptr();
                    zend_hash_str_find(array, key.as_ptr().cast(), key.len()).cast()
                }
            };
            if found.is_null() {
                return None;
            }
            let value = if tag_of(found) == tag::REFERENCE {
                behind(found)
            } else {
                found
            };
            add_ref(value);
            Some(Held::own(*value))
        }
    }

    /// The element of this name.
    pub fn get<'f: 'a>(self, name: &str, call: &Call<'f>) -> Option<View<'a>> {
        // SAFETY: alive by the contract of `new`; a lookup changes nothing.
        unsafe {
            let found = zend_hash_str_find(self.array.as_ptr(), name.as_ptr().cast(), name.len());
            (!found.is_null()).then(|| view(found.cast(), call.pins()))
        }
    }
}

/// Arrays nested deeper than this are not looked into.
const MAX_DEPTH: u32 = 8;

/// # Safety
/// `array` is alive.
unsafe fn is_plain(array: *const zend_array, depth: u32) -> bool {
    // SAFETY: alive by contract, and so are the arrays in it.
    unsafe {
        entries(array).all(|value| match tag_of(value) {
            tag::ARRAY => depth > 0 && is_plain((*value).value.arr, depth - 1),
            tag => tag <= tag::STRING,
        })
    }
}

/// The entries of the table, unset ones too.
///
/// # Safety
/// `array` is alive as long as the iterator.
#[inline(always)]
unsafe fn entries(array: *const zend_array) -> impl Iterator<Item = *const zval> {
    // SAFETY: alive by contract; see `Array::iter` for the table's layout.
    unsafe {
        let packed = cfg!(php82) && (*array).u.flags & HASH_PACKED != 0;
        let size = if packed {
            size_of::<zval>()
        } else {
            size_of::<Bucket>()
        };
        let start: *const u8 = table(&*array).cast();
        let used = (*array).nNumUsed as usize;
        (0..used).map(move |index| start.wrapping_add(index * size).cast())
    }
}

/// # Safety
/// `array` is alive.
#[inline(always)]
unsafe fn table(array: &zend_array) -> *const Bucket {
    #[cfg(php82)]
    // SAFETY: all members of the union are pointers to the same table.
    unsafe {
        array.__bindgen_anon_1.arData
    }
    #[cfg(not(php82))]
    array.arData
}

/// # Safety
/// `value` is an initialised element of an array that is alive and unchanged for `'a`; `pins` lives as long.
#[inline(always)]
unsafe fn view<'a>(value: *const zval, pins: &Pins) -> View<'a> {
    // SAFETY: by contract; what a reference holds is pinned, other elements are owned by the array.
    unsafe {
        if tag_of(value) == tag::REFERENCE {
            let inner = behind(value);
            pins.pin(inner);
            return View::new(inner);
        }
        View::new(value)
    }
}

/// See [`Array::iter`].
pub struct Iter<'a, 'c> {
    start: *const u8,
    at: *const u8,
    end: *const u8,
    packed: bool,
    left: usize,
    pins: &'c Pins,
    borrow: PhantomData<&'a [u8]>,
}

impl<'a> Iterator for Iter<'a, '_> {
    type Item = (Key<'a>, View<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.at != self.end {
            // SAFETY: `at` is an entry of the table, which is alive and unchanged for 'a.
            unsafe {
                let at = self.at;
                let value = at.cast::<zval>();
                let key = if self.packed {
                    self.at = at.add(size_of::<zval>());
                    if tag_of(value) == tag::UNDEF {
                        continue;
                    }
                    Key::Int((at.offset_from_unsigned(self.start) / size_of::<zval>()) as i64)
                } else {
                    let bucket = at.cast::<Bucket>();
                    self.at = at.add(size_of::<Bucket>());
                    if tag_of(value) == tag::UNDEF {
                        continue;
                    }
                    if (*bucket).key.is_null() {
                        Key::Int((*bucket).h as i64)
                    } else {
                        Key::Str(Str::new((*bucket).key))
                    }
                };
                self.left -= 1;
                return Some((key, view(value, self.pins)));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_, '_> {}
