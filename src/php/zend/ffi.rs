//! Engine symbols that ext-php-rs does not bind, and the few layout facts that C keeps in macros.
//!
//! Declared as in PHP's headers from 8.1 to 8.4; where these differ, under `cfg`.

pub(super) use ext_php_rs::ffi::*;
use std::ffi::{c_char, c_int};
use std::mem::{offset_of, size_of};

/// Type tags of a zval (`zend_types.h`).
pub(super) mod tag {
    pub const UNDEF: u8 = 0;
    pub const NULL: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const TRUE: u8 = 3;
    pub const LONG: u8 = 4;
    pub const DOUBLE: u8 = 5;
    pub const STRING: u8 = 6;
    pub const ARRAY: u8 = 7;
    pub const OBJECT: u8 = 8;
    pub const REFERENCE: u8 = 10;
}

/// `Z_TYPE_FLAGS_SHIFT`: where a zval's type info keeps its refcounted/collectable bits.
const FLAGS: u32 = 8;
/// `IS_STRING_EX`.
pub(super) const STRING_EX: u32 = tag::STRING as u32 | IS_TYPE_REFCOUNTED << FLAGS;
/// `IS_ARRAY_EX`.
pub(super) const ARRAY_EX: u32 =
    tag::ARRAY as u32 | (IS_TYPE_REFCOUNTED | IS_TYPE_COLLECTABLE) << FLAGS;
/// `IS_OBJECT_EX`.
pub(super) const OBJECT_EX: u32 =
    tag::OBJECT as u32 | (IS_TYPE_REFCOUNTED | IS_TYPE_COLLECTABLE) << FLAGS;
/// `Z_TYPE_FLAGS_MASK`: not zero when the value is counted.
pub(super) const COUNTED: u32 = 0xff << FLAGS;

/// `IS_STR_INTERNED` (`GC_IMMUTABLE`), in a string's type info.
pub(super) const STRING_INTERNED: u32 = 1 << 6;
/// `HASH_FLAG_PACKED`.
pub(super) const HASH_PACKED: u32 = 1 << 2;

/// `ZEND_CALL_HAS_EXTRA_NAMED_PARAMS`, in a frame's call info.
pub(super) const CALL_HAS_EXTRA_NAMED: u32 = 1 << 27;

/// `ZEND_CALL_FRAME_SLOT`: arguments follow the frame, at the next multiple of a zval.
pub(super) const FRAME_SLOTS: usize = size_of::<zend_execute_data>().div_ceil(size_of::<zval>());

/// `ZEND_INI_STAGE_STARTUP`: the ini files were read, before any script.
pub(super) const INI_STAGE_STARTUP: c_int = 1;
/// `ZEND_INI_STAGE_SHUTDOWN`: a value's life ends.
pub(super) const INI_STAGE_SHUTDOWN: c_int = 1 << 1;

/// A zval as the plain data it is: ext-php-rs's own type releases its value when dropped. Same layout; where a
/// function wants theirs, the pointer is cast.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub struct zval {
    pub value: zend_value,
    pub u1: _zval_struct__bindgen_ty_1,
    pub u2: _zval_struct__bindgen_ty_2,
}

const _: () = assert!(size_of::<zval>() == size_of::<ext_php_rs::ffi::zval>());
const _: () = assert!(offset_of!(zval, u1) == offset_of!(ext_php_rs::ffi::zval, u1));
const _: () = assert!(offset_of!(zval, u2) == offset_of!(ext_php_rs::ffi::zval, u2));

/// The buffer in which an object reports its children to the cycle collector.
#[repr(C)]
pub(super) struct GcBuffer {
    pub cur: *mut zval,
    pub end: *mut zval,
    pub start: *mut zval,
}

unsafe extern "C" {
    pub(super) static spl_ce_RuntimeException: *mut zend_class_entry;
    pub(super) static spl_ce_LogicException: *mut zend_class_entry;

    pub(super) fn zend_parse_arg_bool_slow(arg: *mut zval, dest: *mut bool, num: u32) -> bool;
    pub(super) fn zend_parse_arg_long_slow(arg: *mut zval, dest: *mut zend_long, num: u32) -> bool;
    pub(super) fn zend_parse_arg_double_slow(arg: *mut zval, dest: *mut f64, num: u32) -> bool;
    pub(super) fn zend_parse_arg_str_slow(
        arg: *mut zval,
        dest: *mut *mut zend_string,
        num: u32,
    ) -> bool;
    pub(super) fn zend_parse_arg_number_slow(
        arg: *mut zval,
        dest: *mut *mut zval,
        num: u32,
    ) -> bool;
    pub(super) fn zend_parse_arg_str_or_long_slow(
        arg: *mut zval,
        dest_str: *mut *mut zend_string,
        dest_long: *mut zend_long,
        num: u32,
    ) -> bool;
    pub(super) fn zend_unexpected_extra_named_error();
    /// `main/fopen_wrappers.h`: 0 if the path may be used.
    pub(super) fn php_check_open_basedir_ex(path: *const c_char, warn: c_int) -> c_int;
    pub(super) fn zend_argument_error(
        ce: *mut zend_class_entry,
        num: u32,
        format: *const c_char,
        ...
    );
    #[cfg(not(php83))]
    pub(super) fn zend_zval_type_name(arg: *const zval) -> *const c_char;
    #[cfg(php83)]
    pub(super) fn zend_zval_value_name(arg: *const zval) -> *const c_char;

    pub(super) fn object_init_ex(dest: *mut zval, ce: *mut zend_class_entry) -> zend_result;
    pub(super) fn zend_objects_not_comparable(a: *mut _zval_struct, b: *mut _zval_struct) -> c_int;
    pub(super) fn zend_get_gc_buffer_create() -> *mut GcBuffer;
    pub(super) fn zend_get_gc_buffer_grow(buffer: *mut GcBuffer);
    pub(super) fn zend_exception_save();
    pub(super) fn zend_exception_restore();
    pub(super) fn zend_update_property_stringl(
        scope: *mut zend_class_entry,
        object: *mut zend_object,
        name: *const c_char,
        name_len: usize,
        value: *const c_char,
        value_len: usize,
    );
    pub(super) fn zend_declare_typed_property(
        ce: *mut zend_class_entry,
        name: *mut zend_string,
        default: *mut zval,
        access: c_int,
        doc: *mut zend_string,
        type_: zend_type,
    ) -> *mut zend_property_info;
    pub(super) fn _zend_handle_numeric_str_ex(
        key: *const c_char,
        len: usize,
        index: *mut zend_ulong,
    ) -> bool;

    pub(super) fn zval_get_string_func(value: *mut zval) -> *mut zend_string;
    pub(super) fn zend_hash_index_find(table: *const HashTable, index: zend_ulong) -> *mut zval;

    pub(super) static php_ini_opened_path: *const c_char;
    pub(super) static php_ini_scanned_files: *const c_char;
    pub(super) fn php_ini_get_configuration_hash() -> *mut HashTable;
    pub(super) fn zend_unregister_ini_entries(module_number: c_int);
    pub(super) fn display_ini_entries(module: *mut zend_module_entry);
    pub(super) fn _php_math_round(value: f64, places: c_int, mode: c_int) -> f64;
    pub(super) fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
}

/// Whether an exception is on its way (`EG(exception)`).
pub(super) fn exception_pending() -> bool {
    // SAFETY: the executor globals of this thread exist from startup to the end of the process.
    unsafe { !(*ext_php_rs_executor_globals()).exception.is_null() }
}

/// Whether some PHP function is running (`EG(current_execute_data)`): without one, the engine cannot throw.
pub(super) fn inside_frame() -> bool {
    // SAFETY: as above.
    unsafe {
        !(*ext_php_rs_executor_globals())
            .current_execute_data
            .is_null()
    }
}

/// The value behind a PHP reference.
///
/// # Safety
/// `value` is a reference.
pub(super) unsafe fn behind(value: *const zval) -> *const zval {
    // SAFETY: by contract.
    unsafe { (&raw const (*(*value).value.ref_).val).cast() }
}

/// The tag of a zval.
///
/// # Safety
/// `value` points to an initialised zval.
#[inline(always)]
pub(super) unsafe fn tag_of(value: *const zval) -> u8 {
    // SAFETY: both union members cover the same initialised bytes.
    unsafe { (*value).u1.v.type_ }
}
