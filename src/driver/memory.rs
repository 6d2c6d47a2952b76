//! Memory that the process has freed and the system has not got back.

/// Has the allocator give free memory back. It takes milliseconds: for the end of a big burst only.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: touches the allocator's free memory only, and may be called at any time. No crate offers it.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}
