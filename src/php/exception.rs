//! `WRStats\Exception`

use super::zend::{AnyValue, Call, Class, Held, Thrown};

/// `getServer(): string`, empty for one that PHP code made.
pub fn get_server(call: &mut Call) -> Result<Option<Held<AnyValue>>, Thrown> {
    call.this_object()
        .object()
        .own_property(Class::Exception, "server")
}
