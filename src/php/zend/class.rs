//! Classes: the rows of the generated table, and their registration at module startup.

use super::call::Entry;
use super::ffi::{
    spl_ce_RuntimeException, tag, zend_class_entry, zend_declare_class_constant_ex,
    zend_declare_typed_property, zend_function_entry, zend_internal_arg_info,
    zend_register_internal_class_ex, zend_string, zend_string_init_interned, zend_type,
};
use super::native::Storage;
use super::tables::{CLASSES, Class};
use super::thrown::SERVER_PROPERTY;
use super::zval::{ToPhp, of_string, undef};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::zeroed;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// A table that C reads.
pub(super) struct Fixed<T>(pub T);

// SAFETY: the pointers in it are of string literals and of other such tables; nothing writes them.
unsafe impl<T> Sync for Fixed<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Fixed<T> {}

/// A method's argument table: the return type, then the arguments.
pub(super) type Arguments<const N: usize> = Fixed<[zend_internal_arg_info; N]>;

/// One class of the stub.
pub(super) struct ClassRow {
    pub name: &'static CStr,
    pub parent: Parent,
    pub flags: u32,
    pub methods: &'static [zend_function_entry],
    pub constants: &'static [(&'static str, Constant)],
    pub properties: &'static [(&'static str, u32, zend_type)],
    pub storage: Option<Storage>,
    /// The method that makes objects of a class without constructor.
    pub factory: Option<&'static str>,
}

pub(super) enum Parent {
    None,
    RuntimeException,
    Ours(Class),
}

pub(super) enum Constant {
    Int(i64),
    Str(&'static str),
}

/// Bits of a type (`zend_type_info.h`).
pub(super) mod of {
    pub const NULL: u32 = 1 << 1;
    pub const BOOL: u32 = 3 << 2;
    pub const INT: u32 = 1 << 4;
    pub const FLOAT: u32 = 1 << 5;
    pub const STRING: u32 = 1 << 6;
    pub const ARRAY: u32 = 1 << 7;
    pub const OBJECT: u32 = 1 << 8;
    pub const MIXED: u32 = 0x3fe;
    pub const VOID: u32 = 1 << 14;
    pub const STATIC: u32 = 1 << 15;
}

/// Modifiers (`zend_compile.h`); some have moved between versions of PHP.
pub(super) mod is {
    use super::super::ffi;

    pub const PUBLIC: u32 = ffi::ZEND_ACC_PUBLIC;
    pub const PRIVATE: u32 = ffi::ZEND_ACC_PRIVATE;
    pub const STATIC: u32 = ffi::ZEND_ACC_STATIC;
    pub const FINAL: u32 = ffi::ZEND_ACC_FINAL;
    pub const NO_DYNAMIC_PROPERTIES: u32 = ffi::ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    pub const NOT_SERIALIZABLE: u32 = ffi::ZEND_ACC_NOT_SERIALIZABLE;
    /// Not bound by ext-php-rs; the same from PHP 8.1 on.
    pub const READONLY: u32 = 1 << 7;
}

/// From PHP 8.3 on, class names of internal types that are C strings have a bit of their own.
#[cfg(php83)]
const NAME_BIT: u32 = super::ffi::_ZEND_TYPE_LITERAL_NAME_BIT;
#[cfg(not(php83))]
const NAME_BIT: u32 = super::ffi::_ZEND_TYPE_NAME_BIT;

/// A type without a class.
pub(super) const fn builtin(mask: u32) -> zend_type {
    zend_type {
        ptr: null_mut(),
        type_mask: mask,
    }
}

/// A type with a class, in union with `mask`.
pub(super) const fn class(name: &'static CStr, mask: u32) -> zend_type {
    zend_type {
        ptr: name.as_ptr().cast_mut().cast::<c_void>(),
        type_mask: mask | NAME_BIT,
    }
}

/// The head of an argument table: the number of required arguments, where names stand in the other rows.
pub(super) const fn returns(required: usize, type_: zend_type) -> zend_internal_arg_info {
    zend_internal_arg_info {
        name: std::ptr::without_provenance::<c_char>(required),
        type_,
        default_value: null(),
    }
}

/// An argument that must be given.
pub(super) const fn required(name: &'static CStr, type_: zend_type) -> zend_internal_arg_info {
    zend_internal_arg_info {
        name: name.as_ptr(),
        type_,
        default_value: null(),
    }
}

/// An argument with a default, in PHP's notation: the engine evaluates it for named arguments.
pub(super) const fn optional(
    name: &'static CStr,
    type_: zend_type,
    default: &'static CStr,
) -> zend_internal_arg_info {
    zend_internal_arg_info {
        name: name.as_ptr(),
        type_,
        default_value: default.as_ptr(),
    }
}

/// The last argument of a variadic method.
pub(super) const fn variadic(name: &'static CStr, mut type_: zend_type) -> zend_internal_arg_info {
    type_.type_mask |= super::ffi::_ZEND_IS_VARIADIC_BIT;
    required(name, type_)
}

/// A method.
pub(super) const fn method(
    name: &'static CStr,
    entry: Entry,
    arguments: &'static [zend_internal_arg_info],
    flags: u32,
) -> zend_function_entry {
    zend_function_entry {
        fname: name.as_ptr(),
        handler: Some(entry),
        arg_info: arguments.as_ptr(),
        num_args: (arguments.len() - 1) as u32,
        flags,
        #[cfg(php84)]
        doc_comment: null(),
        #[cfg(php84)]
        frameless_function_infos: null(),
    }
}

/// The end of a method table.
pub(super) const END: zend_function_entry = zend_function_entry {
    fname: null(),
    handler: None,
    arg_info: null(),
    num_args: 0,
    flags: 0,
    #[cfg(php84)]
    doc_comment: null(),
    #[cfg(php84)]
    frameless_function_infos: null(),
};

/// Class entries are stored anew at each module startup; a process can have several.
static ENTRIES: [AtomicPtr<zend_class_entry>; Class::COUNT] =
    [const { AtomicPtr::new(null_mut()) }; Class::COUNT];

/// The engine's entry of a class.
pub(super) fn entry(class: Class) -> *mut zend_class_entry {
    ENTRIES[class as usize].load(Relaxed)
}

/// The class's name, with its namespace.
pub(super) fn name(class: Class) -> &'static str {
    CLASSES.0[class as usize].name.to_str().unwrap_or("?")
}

/// The method that makes objects of this class.
pub(super) fn factory(class_name: &str) -> &'static str {
    CLASSES
        .0
        .iter()
        .find(|row| row.name.to_bytes() == class_name.as_bytes())
        .and_then(|row| row.factory)
        .unwrap_or("its factory")
}

/// Registers all classes, in the table's order: parents come first.
pub(super) fn startup() {
    for (index, row) in CLASSES.0.iter().enumerate() {
        let entry = register(row);
        ENTRIES[index].store(entry, Relaxed);
        if let Some(storage) = &row.storage {
            storage.install(
                Class::ALL[index],
                !row.properties.is_empty(),
                row.factory.is_none(),
            );
        }
    }
}

fn register(row: &'static ClassRow) -> *mut zend_class_entry {
    // SAFETY: module startup. The engine copies the entry; names are interned for good, tables are
    // static. All-zero bytes are a valid empty class entry.
    unsafe {
        let mut new: zend_class_entry = zeroed();
        new.name = interned(row.name.to_bytes());
        new.info.internal.builtin_functions = row.methods.as_ptr();
        let parent = match row.parent {
            Parent::None => null_mut(),
            Parent::RuntimeException => spl_ce_RuntimeException,
            Parent::Ours(class) => entry(class),
        };
        let class = zend_register_internal_class_ex(&raw mut new, parent);
        (*class).ce_flags |= row.flags;
        if let Some(storage) = &row.storage {
            (*class).__bindgen_anon_2.create_object = Some(storage.create);
        }
        for (name, value) in row.constants {
            let mut room = undef();
            match value {
                Constant::Int(int) => int.write(&raw mut room),
                Constant::Str(text) => room = of_string(interned(text.as_bytes())),
            }
            zend_declare_class_constant_ex(
                class,
                interned(name.as_bytes()),
                (&raw mut room).cast(),
                is::PUBLIC as c_int,
                null_mut(),
            );
        }
        for (name, flags, type_) in row.properties {
            let mut none = undef();
            zend_declare_typed_property(
                class,
                interned(name.as_bytes()),
                &raw mut none,
                *flags as c_int,
                null_mut(),
                *type_,
            );
        }
        if row.name == c"WRStats\\Exception" {
            declare_server_property(class);
        }
        class
    }
}

/// Where an exception keeps what `getServer()` answers; private, so the stub does not show it. Before the
/// classes below it are registered: they inherit the slot.
///
/// # Safety
/// Only at module startup; `class` was just registered.
unsafe fn declare_server_property(class: *mut zend_class_entry) {
    // SAFETY: by contract.
    unsafe {
        let mut empty = of_string(interned(b""));
        zend_declare_typed_property(
            class,
            interned(SERVER_PROPERTY.as_bytes()),
            &raw mut empty,
            is::PRIVATE as c_int,
            null_mut(),
            builtin(1 << tag::STRING),
        );
    }
}

/// A string that lives as long as the process.
///
/// # Safety
/// Only at module startup.
unsafe fn interned(text: &[u8]) -> *mut zend_string {
    // SAFETY: set by the engine before modules start; it copies the text.
    unsafe {
        match zend_string_init_interned {
            Some(intern) => intern(text.as_ptr().cast(), text.len(), true),
            None => null_mut(),
        }
    }
}
