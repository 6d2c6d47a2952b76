//! PHP's `open_basedir`: which paths a script may use.

use super::ffi::php_check_open_basedir_ex;
use std::ffi::CString;

/// Whether the script may use the file or socket at `path`. No warning is raised. The engine may run out of memory
/// here, so nothing may be borrowed over it.
#[must_use]
pub fn is_path_allowed(path: &[u8]) -> bool {
    let Ok(path) = CString::new(path) else {
        return false;
    };
    // SAFETY: a C string that outlives the call, inside a request, on the engine's thread.
    unsafe { php_check_open_basedir_ex(path.as_ptr(), 0) == 0 }
}
