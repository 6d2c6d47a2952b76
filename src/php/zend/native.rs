//! Rust state inside PHP objects.
//!
//! The state stands in front of the engine's `zend_object` in one allocation. It is made empty with the
//! object and filled by the constructor or a factory, so an object that never was constructed is a
//! state of its own, not undefined behaviour. Which class an object is of is told by its handler table:
//! there is one per class, and our classes are final.

use super::ffi::{
    GcBuffer, HashTable, ext_php_rs_zend_object_alloc, object_init_ex, object_properties_init,
    std_object_handlers, zend_class_entry, zend_exception_restore, zend_exception_save,
    zend_function, zend_get_gc_buffer_create, zend_get_gc_buffer_grow, zend_object,
    zend_object_handlers, zend_object_std_dtor, zend_object_std_init, zend_objects_not_comparable,
    zval,
};
use super::held::{Held, ObjectValue};
use super::object::Object;
use super::tables::Class;
use super::thrown::{Thrown, c_string};
use super::view::Number;
use super::zval::{ToPhp, put, set_type, undef};
use super::{class, ffi};
use std::cell::{RefCell, UnsafeCell};
use std::ffi::c_int;
use std::mem::{MaybeUninit, offset_of};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// Names the class whose objects have this state; written by `stubs/generate.php`.
///
/// # Safety
/// No two types name the same class.
pub unsafe trait HasClass: Sized + 'static {
    /// The class.
    const CLASS: Class;
}

/// The state of a PHP object.
pub trait Native: HasClass {
    /// Whether the state has [`Held`] values; then [`Native::held`] must report each of them.
    const HOLDS: bool = false;
    /// Whether [`Native::destruct`] does something.
    const DESTRUCTS: bool = false;

    /// Reports every PHP value that the state holds, so that the engine can collect cycles.
    fn held(&self, _visit: &mut Visitor) {}

    /// Sets the declared (readonly) properties, in the stub's order, when the state is put in.
    fn properties(&self, _properties: &mut Properties) {}

    /// The last chance to call PHP code: the last reference is gone, or the script has ended. Not run
    /// after a fatal error. What needs no PHP belongs into `Drop`, which always runs.
    ///
    /// # Errors
    /// Whatever the PHP code threw.
    fn destruct(&mut self) -> Result<(), Thrown> {
        Ok(())
    }
}

#[repr(C)]
struct Slot<T> {
    state: RefCell<Option<T>>,
    object: zend_object,
}

/// One handler table per class, written at module startup and only read after that.
struct HandlerTables(UnsafeCell<[MaybeUninit<zend_object_handlers>; Class::COUNT]>);

// SAFETY: written while the process has one thread (module startup), never after.
unsafe impl Sync for HandlerTables {}

static HANDLERS: HandlerTables = HandlerTables(UnsafeCell::new(
    [const { MaybeUninit::uninit() }; Class::COUNT],
));

#[inline(always)]
fn handlers(class: Class) -> *mut zend_object_handlers {
    // An address inside the static; nothing is read here.
    HANDLERS
        .0
        .get()
        .cast::<zend_object_handlers>()
        .wrapping_add(class as usize)
}

/// The state cell of an object, if it is of `T`'s class.
///
/// # Safety
/// `object` is alive for `'a`.
#[inline(always)]
pub(super) unsafe fn cell<'a, T: Native>(
    object: *mut zend_object,
) -> Option<&'a RefCell<Option<T>>> {
    // SAFETY: alive by contract. Objects with this handler table were made by `create::<T>`, as the
    // `object` of a Slot<T> whose state is initialised until `free`.
    unsafe {
        if (*object).handlers != handlers(T::CLASS).cast_const() {
            return None;
        }
        Some(&(*slot_of::<T>(object)).state)
    }
}

/// # Safety
/// `object` was made by `create::<T>`.
#[inline(always)]
unsafe fn slot_of<T>(object: *mut zend_object) -> *mut Slot<T> {
    // SAFETY: by contract, so the result is the start of the same allocation.
    unsafe { object.byte_sub(offset_of!(Slot<T>, object)).cast() }
}

/// Puts the state in, and sets the declared properties.
///
/// # Safety
/// `object` is alive and of `T`'s class or one of our other classes.
pub(super) unsafe fn fill<T: Native>(object: *mut zend_object, state: T) -> Result<(), Thrown> {
    // SAFETY: by contract.
    let Some(cell) = (unsafe { cell::<T>(object) }) else {
        panic!("the object belongs to another class");
    };
    let again = || {
        Thrown::error(format!(
            "{}: the object was constructed before",
            class::name(T::CLASS)
        ))
    };
    let mut room = cell.try_borrow_mut().map_err(|_| again())?;
    if room.is_some() {
        return Err(again());
    }
    state.properties(&mut Properties { object });
    *room = Some(state);
    Ok(())
}

/// The declared properties of an object that is being constructed.
pub struct Properties {
    object: *mut zend_object,
}

impl Properties {
    /// Sets the property at `index` in the order of declaration.
    ///
    /// # Panics
    /// When the class has fewer.
    pub fn set(&mut self, index: usize, value: Number) {
        // SAFETY: the object is alive while this is; it has as many property slots as its class says. The
        // slot holds nothing that would have to be released: objects are constructed once, and readonly
        // properties cannot be written from outside. u2 tells that it was uninitialised.
        unsafe {
            let count = (*(*self.object).ce).default_properties_count;
            assert!(usize::try_from(count).is_ok_and(|count| index < count));
            let slot = (&raw mut (*self.object).properties_table)
                .cast::<zval>()
                .add(index);
            value.write(slot);
            (*slot).u2.extra = 0;
        }
    }
}

/// Collects what a state holds; see [`Native::held`].
pub struct Visitor {
    buffer: *mut GcBuffer,
}

impl Visitor {
    /// Reports a value, once for each [`Held`] on it.
    pub fn visit<K>(&mut self, held: &Held<K>) {
        if !held.is_alive() {
            return;
        }
        // SAFETY: the engine's buffer of this thread, grown as `zend_get_gc_buffer_add_zval` does.
        unsafe {
            let value = held.raw();
            if (*value).u1.type_info & ffi::COUNTED == 0 {
                return;
            }
            if (*self.buffer).cur == (*self.buffer).end {
                zend_get_gc_buffer_grow(self.buffer);
            }
            put((*self.buffer).cur, *value);
            (*self.buffer).cur = (*self.buffer).cur.add(1);
        }
    }
}

/// A new object with this state, to be given to PHP.
pub struct New<T>(pub T);

impl<T: Native> New<T> {
    /// Makes the object now.
    #[must_use]
    pub fn hold(self) -> Held<ObjectValue> {
        let mut value = undef();
        // SAFETY: `value` is ours, and holds an object after `write`.
        unsafe {
            self.write(&raw mut value);
            Held::own(value)
        }
    }
}

impl<T: Native> ToPhp for New<T> {
    unsafe fn write(self, slot: *mut zval) {
        // SAFETY: by contract of `write`. Our classes can be instantiated, so the slot has an object of T's
        // class after this, not constructed yet.
        unsafe {
            set_type(slot, u32::from(ffi::tag::NULL));
            object_init_ex(slot, class::entry(T::CLASS));
            if let Err(thrown) = fill((*slot).value.obj, self.0) {
                thrown.raise();
            }
        }
    }
}

impl Object<'_> {
    /// Whether it is one of ours, of `T`'s class.
    #[must_use]
    pub fn is<T: Native>(self) -> bool {
        // SAFETY: alive while borrowed.
        unsafe { (*self.raw()).handlers == handlers(T::CLASS).cast_const() }
    }
}

type GetGc = Option<
    unsafe extern "C" fn(
        *mut zend_object,
        *mut *mut ffi::_zval_struct,
        *mut c_int,
    ) -> *mut HashTable,
>;

/// What the engine needs to make and end objects of a class.
pub(super) struct Storage {
    pub create: unsafe extern "C" fn(*mut zend_class_entry) -> *mut zend_object,
    free: unsafe extern "C" fn(*mut zend_object),
    destroy: Option<unsafe extern "C" fn(*mut zend_object)>,
    get_gc: GetGc,
    offset: usize,
}

impl Storage {
    pub(super) const fn of<T: Native>() -> Self {
        const { assert!(align_of::<Slot<T>>() <= 8, "the engine aligns to 8 bytes") };
        Self {
            create: create::<T>,
            free: free::<T>,
            destroy: if T::DESTRUCTS {
                Some(destroy::<T>)
            } else {
                None
            },
            get_gc: if T::HOLDS { Some(get_gc::<T>) } else { None },
            offset: offset_of!(Slot<T>, object),
        }
    }

    /// Writes the handler table of `class`. Only at module startup.
    pub(super) fn install(&self, class: Class, comparable: bool, constructible: bool) {
        let table = handlers(class);
        // SAFETY: the table is a slot of the static; the process has one thread at module startup.
        unsafe {
            table.write(std::ptr::read(&raw const std_object_handlers));
            (*table).offset = self.offset as c_int;
            (*table).free_obj = Some(self.free);
            (*table).clone_obj = None;
            if !comparable {
                (*table).compare = Some(zend_objects_not_comparable);
            }
            if !constructible {
                (*table).get_constructor = Some(no_constructor);
            }
            if let Some(destroy) = self.destroy {
                (*table).dtor_obj = Some(destroy);
            }
            if let Some(get_gc) = self.get_gc {
                (*table).get_gc = Some(get_gc);
            }
        }
    }
}

unsafe extern "C" fn create<T: Native>(ce: *mut zend_class_entry) -> *mut zend_object {
    // SAFETY: the engine asks for an object of the class this was installed for. The allocation has room
    // for Slot<T> and the declared properties behind it.
    unsafe {
        let slot = ext_php_rs_zend_object_alloc(size_of::<Slot<T>>(), ce).cast::<Slot<T>>();
        (&raw mut (*slot).state).write(RefCell::new(None));
        let object = &raw mut (*slot).object;
        zend_object_std_init(object, ce);
        object_properties_init(object, ce);
        (*object).handlers = handlers(T::CLASS);
        object
    }
}

unsafe extern "C" fn free<T: Native>(object: *mut zend_object) {
    // SAFETY: the engine frees an object of ours once. A borrow that a bailout left behind is of no
    // concern any more: nothing of that call runs again. The engine frees the memory after this.
    unsafe {
        let state = (*slot_of::<T>(object)).state.as_ptr();
        // Taken out first, so a panic on drop leaves nothing behind.
        let _ = catch_unwind(AssertUnwindSafe(|| drop((*state).take())));
        zend_object_std_dtor(object);
    }
}

unsafe extern "C" fn destroy<T: Native>(object: *mut zend_object) {
    // SAFETY: the engine calls this once for a live object of ours. An exception on its way is put aside,
    // as for a PHP destructor.
    unsafe {
        zend_exception_save();
        let ended = catch_unwind(AssertUnwindSafe(|| {
            let Some(cell) = cell::<T>(object) else {
                return Ok(());
            };
            match cell.try_borrow_mut() {
                Ok(mut state) => state.as_mut().map_or(Ok(()), Native::destruct),
                Err(_) => Ok(()),
            }
        }));
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(thrown)) => thrown.raise(),
            Err(panic) => super::call::panicked(&*panic),
        }
        zend_exception_restore();
    }
}

unsafe extern "C" fn get_gc<T: Native>(
    object: *mut zend_object,
    table: *mut *mut ffi::_zval_struct,
    count: *mut c_int,
) -> *mut HashTable {
    // SAFETY: the engine asks about a live object of ours and reads `count` zvals at `table` before it
    // asks again. A state that is in use reports nothing, so what it holds is not collected.
    unsafe {
        let buffer = zend_get_gc_buffer_create();
        let visited = catch_unwind(AssertUnwindSafe(|| {
            let mut visitor = Visitor { buffer };
            if let Some(Ok(state)) = cell::<T>(object).map(RefCell::try_borrow)
                && let Some(state) = state.as_ref()
            {
                state.held(&mut visitor);
            }
        }));
        let reported = if visited.is_ok() {
            (*buffer).cur.offset_from((*buffer).start)
        } else {
            0
        };
        *table = (*buffer).start.cast();
        *count = reported as c_int;
    }
    null_mut()
}

/// For classes that only factories make: `new` is refused, telling the factory.
unsafe extern "C" fn no_constructor(object: *mut zend_object) -> *mut zend_function {
    // SAFETY: the engine asks about a live object of one of our classes.
    let name = unsafe { Object::new(object) }.class_name();
    let name = String::from_utf8_lossy(name);
    let factory = class::factory(&name);
    let message = c_string(format!(
        "{name} cannot be constructed directly, use {factory}() instead"
    ));
    // SAFETY: inside the request; the format takes one string.
    unsafe { ffi::zend_throw_error(null_mut(), c"%s".as_ptr(), message.as_ptr()) };
    null_mut()
}
