//! Exceptions: described by handlers, thrown by the caller of the handler when all borrows have ended.

use super::class;
use super::ffi::{
    exception_pending, inside_frame, spl_ce_LogicException, zend_argument_error, zend_ce_error,
    zend_ce_type_error, zend_ce_value_error, zend_class_entry, zend_throw_exception,
    zend_update_property_stringl,
};
use super::tables::Class;
use std::ffi::CString;

/// An exception to be thrown by the engine when the handler has returned. Anything else a handler did
/// stays done.
#[derive(Debug)]
pub struct Thrown(Box<Throw>);

#[derive(Debug)]
enum Throw {
    /// The engine has it already.
    Pending,
    Plain(Builtin, String),
    Argument(Builtin, u32, String),
    Server {
        class: Class,
        code: i64,
        message: String,
        server: String,
    },
}

#[derive(Clone, Copy, Debug)]
enum Builtin {
    Error,
    TypeError,
    ValueError,
    LogicException,
}

/// Where [`class::startup`] declares the private property that `getServer()` answers.
pub(super) const SERVER_PROPERTY: &str = "server";

impl Thrown {
    /// The engine has an exception already, from an argument or from PHP code that was called.
    #[cold]
    #[must_use]
    pub(super) fn pending() -> Self {
        Self(Box::new(Throw::Pending))
    }

    /// `\ValueError`: "WRStats::incr(): Argument #2 ($step) " and `message`, such as "must be greater
    /// than or equal to 0". `number` counts from 1.
    #[cold]
    #[must_use]
    pub fn argument_value(number: u32, message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Argument(
            Builtin::ValueError,
            number,
            message.into(),
        )))
    }

    /// `\TypeError` for an argument, as [`Thrown::argument_value`].
    #[cold]
    #[must_use]
    pub fn argument_type(number: u32, message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Argument(
            Builtin::TypeError,
            number,
            message.into(),
        )))
    }

    /// `\ValueError` with this message.
    #[cold]
    #[must_use]
    pub fn value(message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Plain(Builtin::ValueError, message.into())))
    }

    /// `\TypeError` with this message.
    #[cold]
    #[must_use]
    pub fn type_error(message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Plain(Builtin::TypeError, message.into())))
    }

    /// `\LogicException` with this message.
    #[cold]
    #[must_use]
    pub fn logic(message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Plain(
            Builtin::LogicException,
            message.into(),
        )))
    }

    /// `\Error` with this message.
    #[cold]
    #[must_use]
    pub fn error(message: impl Into<String>) -> Self {
        Self(Box::new(Throw::Plain(Builtin::Error, message.into())))
    }

    /// One of the `WRStats\Exception` family; `server` is what `getServer()` answers.
    #[cold]
    #[must_use]
    pub fn exception(
        class: Class,
        code: i64,
        message: impl Into<String>,
        server: impl Into<String>,
    ) -> Self {
        Self(Box::new(Throw::Server {
            class,
            code,
            message: message.into(),
            server: server.into(),
        }))
    }

    /// Gives it to the engine. Outside of any PHP frame (destructors at the end of the script) nobody could
    /// catch it: it becomes a warning.
    #[cold]
    pub(super) fn raise(self) {
        if !inside_frame() {
            return match *self.0 {
                Throw::Pending => {}
                Throw::Plain(_, message)
                | Throw::Argument(_, _, message)
                | Throw::Server { message, .. } => super::ini::warn(message),
            };
        }
        // SAFETY: class entries and C strings are valid; format strings take the one argument given.
        unsafe {
            match *self.0 {
                Throw::Pending => {
                    debug_assert!(exception_pending(), "no exception is pending");
                }
                Throw::Plain(class, message) => {
                    let message = c_string(message);
                    zend_throw_exception(class.entry(), message.as_ptr(), 0);
                }
                Throw::Argument(class, number, message) => {
                    let message = c_string(message);
                    zend_argument_error(class.entry(), number, c"%s".as_ptr(), message.as_ptr());
                }
                Throw::Server {
                    class,
                    code,
                    message,
                    server,
                } => {
                    let message = c_string(message);
                    let object = zend_throw_exception(class::entry(class), message.as_ptr(), code);
                    zend_update_property_stringl(
                        class::entry(Class::Exception),
                        object,
                        SERVER_PROPERTY.as_ptr().cast(),
                        SERVER_PROPERTY.len(),
                        server.as_ptr().cast(),
                        server.len(),
                    );
                }
            }
        }
    }
}

impl Builtin {
    fn entry(self) -> *mut zend_class_entry {
        // SAFETY: set by the engine before any module starts, and never changed.
        unsafe {
            match self {
                Self::Error => zend_ce_error,
                Self::TypeError => zend_ce_type_error,
                Self::ValueError => zend_ce_value_error,
                Self::LogicException => spl_ce_LogicException,
            }
        }
    }
}

/// As a C string; a NUL byte becomes `\0`, as it would be shown.
pub(super) fn c_string(text: String) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let text = String::from_utf8_lossy(&error.into_vec()).replace('\0', "\\0");
        CString::new(text).unwrap_or_default()
    })
}

/// The text of a panic.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown")
}
