//! One call of a method: the frame, from the engine's entry to the value or exception it gets back.

use super::class;
use super::ffi::{
    _zval_struct, FRAME_SLOTS, tag, tag_of, zend_execute_data, zend_object,
    zend_wrong_parameters_count_error, zval,
};
use super::held::{Held, ObjectValue};
use super::native::{self, Native};
use super::object::Object;
use super::thrown::{Thrown, panic_text};
use super::zval::{ToPhp, add_ref, put, release, undef};
use std::cell::{RefCell, RefMut};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// A call of one of our methods. `'f` is the lifetime of the engine's frame.
pub struct Call<'f> {
    frame: *mut zend_execute_data,
    given: u32,
    next: u32,
    pins: Pins,
    borrow: PhantomData<&'f [u8]>,
}

/// The state behind `$this`, borrowed; see [`Call::this`].
pub type This<'c, T> = RefMut<'c, T>;

/// What was found behind PHP references during a call, kept alive until it ends.
#[derive(Default)]
pub(super) struct Pins(RefCell<Vec<zval>>);

impl Pins {
    /// # Safety
    /// `value` is initialised and what it refers to is alive.
    #[cold]
    pub(super) unsafe fn pin(&self, value: *const zval) {
        // SAFETY: by contract.
        unsafe {
            let mut copy = undef();
            put(&raw mut copy, *value);
            add_ref(&raw const copy);
            self.0.borrow_mut().push(copy);
        }
    }
}

impl Drop for Pins {
    #[inline]
    fn drop(&mut self) {
        for value in self.0.get_mut() {
            // SAFETY: each owns the reference counted in `pin`.
            unsafe { release(value) }
        }
    }
}

impl<'f> Call<'f> {
    #[inline(always)]
    pub(super) fn pins(&self) -> &Pins {
        &self.pins
    }

    #[inline(always)]
    pub(super) fn frame(&self) -> *mut zend_execute_data {
        self.frame
    }

    /// The next argument's slot and its number from 1, or `None` when it was left out.
    ///
    /// Every slot is handed out once: reading one can convert what is in it.
    #[inline(always)]
    pub(super) fn next_slot(&mut self) -> Option<(*mut zval, u32)> {
        let index = self.next;
        if index >= self.given {
            return None;
        }
        self.next = index + 1;
        // SAFETY: the frame has `given` argument slots after it.
        let slot = unsafe { self.frame.cast::<zval>().add(FRAME_SLOTS + index as usize) };
        Some((slot, index + 1))
    }

    /// As [`Call::next_slot`], for an argument whose presence the engine's entry has checked.
    #[inline(always)]
    pub(super) fn required_slot(&mut self) -> (*mut zval, u32) {
        match self.next_slot() {
            Some(slot) => slot,
            None => panic!("the handler reads more arguments than the stub requires"),
        }
    }

    #[inline(always)]
    fn this_raw(&self) -> Option<*mut zend_object> {
        // SAFETY: `This` of a live frame holds the object of an instance method, which the frame keeps
        // alive, or the called class of a static one.
        unsafe {
            let this = (&raw const (*self.frame).This).cast::<zval>();
            (tag_of(this) == tag::OBJECT).then(|| (*this).value.obj)
        }
    }

    /// The state of `$this`, to be borrowed when all arguments have been read.
    ///
    /// # Errors
    /// `\Error` when the object was never constructed, or is in use further up the call stack.
    #[inline(always)]
    pub fn this<T: Native>(&self) -> Result<This<'_, T>, Thrown> {
        let Some(object) = self.this_raw() else {
            panic!("a static method has no $this");
        };
        // SAFETY: alive while the frame is.
        let Some(cell) = (unsafe { native::cell::<T>(object) }) else {
            panic!("$this belongs to another class");
        };
        let Ok(state) = cell.try_borrow_mut() else {
            return Err(in_use(T::CLASS));
        };
        RefMut::filter_map(state, Option::as_mut).map_err(|_| not_constructed(T::CLASS))
    }

    /// Gives `$this` its state: the last step of a constructor.
    ///
    /// # Errors
    /// `\Error` when it was constructed before.
    pub fn construct<T: Native>(&mut self, state: T) -> Result<(), Thrown> {
        let Some(object) = self.this_raw() else {
            panic!("a static method has no $this");
        };
        // SAFETY: alive while the frame is.
        unsafe { native::fill(object, state) }
    }

    /// `$this` itself, to be kept or returned.
    #[must_use]
    pub fn this_object(&self) -> Held<ObjectValue> {
        let Some(object) = self.this_raw() else {
            panic!("a static method has no $this");
        };
        // SAFETY: alive while the frame is.
        unsafe { Object::new(object) }.hold()
    }
}

#[cold]
fn in_use(class: super::Class) -> Thrown {
    Thrown::error(format!(
        "{}: the object is in use further up the call stack",
        class::name(class)
    ))
}

#[cold]
fn not_constructed(class: super::Class) -> Thrown {
    Thrown::error(format!(
        "{}: the object was not constructed",
        class::name(class)
    ))
}

/// The engine's side of a handler.
pub(super) type Entry = unsafe extern "C" fn(*mut zend_execute_data, *mut _zval_struct);

/// Makes the engine's entry of a handler, taking `MIN` to `MAX` arguments (`u32::MAX`: any number).
pub(super) const fn entry<const MIN: u32, const MAX: u32, F, R>(_handler: F) -> Entry
where
    F: Fn(&mut Call<'_>) -> Result<R, Thrown> + Copy + 'static,
    R: ToPhp,
{
    const { assert!(size_of::<F>() == 0, "a handler is a plain function") };
    enter::<MIN, MAX, F, R>
}

unsafe extern "C" fn enter<const MIN: u32, const MAX: u32, F, R>(
    frame: *mut zend_execute_data,
    answer: *mut _zval_struct,
) where
    F: Fn(&mut Call<'_>) -> Result<R, Thrown> + Copy + 'static,
    R: ToPhp,
{
    // SAFETY: the engine passes a live frame whose `This` counts the arguments.
    let given = unsafe { (*frame).This.u2.num_args };
    if given < MIN || given > MAX {
        // SAFETY: inside the frame of this method, which the message names.
        return unsafe { zend_wrong_parameters_count_error(MIN, MAX) };
    }
    let run = AssertUnwindSafe(|| {
        // SAFETY: F has no size (checked in `entry`), so nothing is read; it is Copy and was given as a
        // value, so values of it exist.
        let handler = unsafe { NonNull::<F>::dangling().read() };
        let mut call = Call {
            frame,
            given,
            next: 0,
            pins: Pins::default(),
            borrow: PhantomData,
        };
        match handler(&mut call) {
            // SAFETY: the engine gives the answer's slot to be written, holding null.
            Ok(value) => unsafe { value.write(answer.cast()) },
            Err(thrown) => thrown.raise(),
        }
    });
    if let Err(panic) = catch_unwind(run) {
        panicked(&*panic);
    }
}

#[cold]
pub(super) fn panicked(panic: &(dyn std::any::Any + Send)) {
    Thrown::error(format!("wrstats internal error: {}", panic_text(panic))).raise();
}
