//! Calling methods of PHP objects.

use super::ffi::{
    _call_user_function_impl, behind, exception_pending, object_init_ex, tag, tag_of,
    zend_lookup_class_ex, zend_object, zval,
};
use super::held::{AnyValue, Held, ObjectValue};
use super::new_array::NewArray;
use super::thrown::Thrown;
use super::view::View;
use super::zval::{ToPhp, add_ref, of_array, of_object, put, release, undef};
use std::ptr::null_mut;

/// An argument for a PHP method.
pub enum Argument<'a> {
    /// A value that came from PHP, shared with the callee.
    View(View<'a>),
    /// An array made here, shared with the callee.
    New(&'a NewArray),
}

impl Argument<'_> {
    /// # Safety
    /// `slot` may be overwritten; inside a request.
    unsafe fn write(&self, slot: *mut zval) {
        // SAFETY: by contract. What is shared is counted for the slot.
        unsafe {
            match *self {
                Self::View(view) => view.write(slot),
                Self::New(array) => {
                    put(slot, of_array(array.raw()));
                    add_ref(slot);
                }
            }
        }
    }
}

/// `new $class(...$arguments)`, of a class of PHP code; `None` when there is no such class. Autoloaders are asked.
///
/// # Errors
/// What an autoloader or the constructor threw, or PHP's own for a class without instances.
pub fn instantiate(
    class: &str,
    arguments: &[Argument<'_>],
) -> Result<Option<Held<ObjectValue>>, Thrown> {
    let mut name = undef();
    let mut object = undef();
    // SAFETY: inside a request. The name is ours and released; the object is ours once it was made.
    let object = unsafe {
        class.write(&raw mut name);
        let entry = zend_lookup_class_ex(name.value.str_, null_mut(), 0);
        release(&raw mut name);
        if exception_pending() {
            return Err(Thrown::pending());
        }
        if entry.is_null() {
            return Ok(None);
        }
        object_init_ex(&raw mut object, entry);
        if exception_pending() {
            return Err(Thrown::pending());
        }
        Held::<ObjectValue>::own(object)
    };
    object.object().call("__construct", arguments)?;
    Ok(Some(object))
}

/// Calls `object->method(...arguments)`.
///
/// # Safety
/// `object` is alive.
pub(super) unsafe fn call_method(
    object: *mut zend_object,
    method: &str,
    arguments: &[Argument<'_>],
) -> Result<Held<AnyValue>, Thrown> {
    let mut this = of_object(object);
    let mut name = undef();
    let mut answer = undef();
    let mut slots: Vec<zval> = arguments.iter().map(|_| undef()).collect();
    // SAFETY: alive by contract, and kept so by a reference of our own: the method may drop all others.
    // Every slot is initialised; all of them are released after the call.
    unsafe {
        add_ref(&raw const this);
        method.write(&raw mut name);
        for (argument, slot) in arguments.iter().zip(&mut slots) {
            argument.write(slot);
        }
        _call_user_function_impl(
            (&raw mut this).cast(),
            (&raw mut name).cast(),
            (&raw mut answer).cast(),
            u32::try_from(slots.len()).unwrap_or(u32::MAX),
            slots.as_mut_ptr().cast(),
            null_mut(),
        );
        for slot in &mut slots {
            release(slot);
        }
        release(&raw mut name);
        release(&raw mut this);
        if tag_of(&raw const answer) == tag::REFERENCE {
            let mut inner = undef();
            put(&raw mut inner, *behind(&raw const answer));
            add_ref(&raw const inner);
            release(&raw mut answer);
            answer = inner;
        }
        let answer = Held::own(answer);
        if exception_pending() {
            return Err(Thrown::pending());
        }
        Ok(answer)
    }
}
