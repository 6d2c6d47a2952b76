//! The module's part of `phpinfo()` and `php --ri`, as HTML or text.

use super::ffi::{
    display_ini_entries, php_info_print_table_end, php_info_print_table_header,
    php_info_print_table_row, php_info_print_table_start, zend_module_entry,
};
use super::thrown::c_string;

/// A table of two columns that is being printed. The engine escapes for HTML.
pub struct Table(());

impl Table {
    pub(super) fn print(fill: impl FnOnce(&mut Self)) {
        // SAFETY: inside phpinfo().
        unsafe { php_info_print_table_start() };
        fill(&mut Self(()));
        // SAFETY: as above.
        unsafe { php_info_print_table_end() };
    }

    /// A row of headings.
    pub fn header(&mut self, left: &str, right: &str) {
        let (left, right) = (c_string(left.to_owned()), c_string(right.to_owned()));
        // SAFETY: two columns, two C strings.
        unsafe { php_info_print_table_header(2, left.as_ptr(), right.as_ptr()) };
    }

    /// A name and its value.
    pub fn row(&mut self, name: &str, value: &str) {
        let (name, value) = (c_string(name.to_owned()), c_string(value.to_owned()));
        // SAFETY: two columns, two C strings.
        unsafe { php_info_print_table_row(2, name.as_ptr(), value.as_ptr()) };
    }
}

/// The table of ini settings.
///
/// # Safety
/// `module` is this module's entry.
pub(super) unsafe fn settings(module: *mut zend_module_entry) {
    // SAFETY: by contract.
    unsafe { display_ini_entries(module) };
}
