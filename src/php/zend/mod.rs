//! The engine layer: everything that touches PHP's own structures, and all `unsafe` of the PHP surface.
//!
//! Above it (`src/php/*.rs`) is safe Rust. A method handler is a plain function:
//!
//! ```ignore
//! pub fn incr(call: &mut Call) -> Result<bool, Thrown> {
//!     let key = call.bytes()?;        // arguments, in the stub's order, by PHP's own rules
//!     let step = call.int_or(1)?;
//!     let this = call.this::<WRStats>()?; // borrowed last: no argument can be read any more
//!     Ok(this.pool.incr(key, step))   // handed to PHP after the borrow has ended
//! }
//! ```
//!
//! What keeps it right:
//!
//! * **Order.** Reading an argument can run PHP code (`__toString`, an error handler) which may call
//!   the same object again. Getters take `&mut Call`, [`Call::this`] borrows it: the compiler refuses
//!   an argument read, while the state is borrowed. Values and exceptions are given to the engine
//!   by the caller of the handler, after every borrow has ended.
//! * **Bailout.** A fatal error in an engine call jumps over Rust frames without running destructors.
//!   No pool or global may stay borrowed over a call that allocates engine memory or runs PHP code:
//!   arrays and objects for PHP are built from what was taken out of it before.
//! * **Lifetimes.** `'f` is the lifetime of the engine's call frame. Argument slots own what they
//!   hold until the frame ends, and nobody else can change it. What hangs behind a PHP reference
//!   can change, so it is pinned to the call when seen ([`Array::iter`]).
//! * **Requests.** A [`Held`] value belongs to its request. One that survives it (forgotten in a
//!   global) has lost its memory, notices, and does nothing on drop.
//! * **Panics** become a PHP `Error`, everywhere.
#![allow(unsafe_code)]

mod args;
mod array;
mod call;
mod callback;
mod class;
mod ffi;
mod held;
mod info;
mod ini;
mod ini_file;
mod math;
mod module;
mod native;
mod new_array;
mod object;
mod open_basedir;
mod per_thread;
mod read;
#[rustfmt::skip]
mod tables;
mod thrown;
mod view;
mod zval;

pub use args::{ArrayOrObject, StrOrArray, StrOrInt};
pub use array::{Array, Key};
pub use call::{Call, This};
pub use callback::{Argument, instantiate};
pub use held::{AnyValue, ArrayValue, Held, ObjectValue, StrValue};
pub use info::Table;
pub use ini::Setting;
pub use math::round;
pub use module::with_globals;
pub use native::{Native, New, Properties, Visitor};
pub use new_array::NewArray;
pub use object::Object;
pub use open_basedir::is_path_allowed;
pub use tables::Class;
pub use thrown::Thrown;
pub use view::{Digits, Number, View, copy, is_copy};
pub use zval::{Either, ToPhp};
