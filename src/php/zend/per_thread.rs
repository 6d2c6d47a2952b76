//! A number of this PHP process; with ZTS, of this thread.

#[cfg(not(php_zts))]
mod number {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// One number: PHP runs in one thread, so an atomic without ordering is a plain one.
    pub struct PerThread(AtomicU32);

    impl PerThread {
        pub const fn new() -> Self {
            Self(AtomicU32::new(0))
        }

        #[inline(always)]
        pub fn get(&self) -> u32 {
            self.0.load(Relaxed)
        }

        pub fn set(&self, value: u32) {
            self.0.store(value, Relaxed);
        }
    }

    /// Makes one; in a static.
    macro_rules! per_thread {
        () => {
            PerThread::new()
        };
    }
    pub(in crate::php::zend) use per_thread;
}

#[cfg(php_zts)]
mod number {
    use std::cell::Cell;
    use std::thread::LocalKey;

    /// One number per thread.
    pub struct PerThread(pub &'static LocalKey<Cell<u32>>);

    impl PerThread {
        #[inline(always)]
        pub fn get(&self) -> u32 {
            self.0.get()
        }

        pub fn set(&self, value: u32) {
            self.0.set(value);
        }
    }

    /// Makes one; in a static.
    macro_rules! per_thread {
        () => {{
            thread_local! {
                static NUMBER: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
            }
            PerThread(&NUMBER)
        }};
    }
    pub(in crate::php::zend) use per_thread;
}

pub(super) use number::{PerThread, per_thread};
