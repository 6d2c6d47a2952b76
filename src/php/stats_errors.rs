//! The exceptions of writers, readers and rate limiters.

use super::wrstats::exception;
use super::zend::Thrown;
use crate::stats::error::{Error, Invalid};
use crate::stats::remote::RemoteError;

/// `\ValueError` for argument `number`, in PHP's words. Entries of nested arguments are named by their path.
#[cold]
pub fn invalid(error: &Invalid, number: u32) -> Thrown {
    let message = match error {
        Invalid::Entry { path, rule } => match path.find('[') {
            Some(at) => format!("{} {rule}", &path[at..]),
            None => rule.clone(),
        },
        _ => error.rule(),
    };
    Thrown::argument_value(number, message)
}

/// Why the client could not do what was asked.
#[cold]
pub fn remote(error: &RemoteError) -> Thrown {
    match error {
        RemoteError::Failure(failure) => exception(failure),
        RemoteError::Key(key, error) => Thrown::value(format!(
            "the handle's prefix and route leave too little room for the key \"{}\": {error}",
            key.escape_ascii()
        )),
    }
}

/// Either of the two, for a call on the client's servers; `number` is the argument that may be invalid.
#[cold]
pub fn of_client(error: &Error<RemoteError>, number: u32) -> Thrown {
    match error {
        Error::Invalid(error) => invalid(error, number),
        Error::Store(error) => remote(error),
    }
}

/// Either of the two, for a call on a PHP store.
#[cold]
pub fn of_php_store(error: Error<Thrown>, number: u32) -> Thrown {
    match error {
        Error::Invalid(error) => invalid(&error, number),
        Error::Store(thrown) => thrown,
    }
}
