//! Handlers that are not written yet, so that the engine layer compiles: each throws. A class that gets its
//! own file leaves this one, which goes with the last of them.

use super::zend::{Call, Native, Thrown};

macro_rules! pending {
    ($module:ident $state:ident: $($handler:ident)*) => {
        pub mod $module {
            use super::{Call, Native, Thrown};
            /// No state yet.
            pub struct $state;
            impl Native for $state {}
            $(pub fn $handler(_call: &mut Call) -> Result<(), Thrown> {
                Err(Thrown::error(concat!(stringify!($handler), " is not written yet")))
            })*
        }
    };
}

pending!(writer Writer: incr flush reset_all set_current_time reset_current_time);
pending!(reader Reader: latest time_range get_rate get_rates fetch total per_second per_minute
    per_hour per_day set_current_time reset_current_time);
pending!(rate Rate: total per_second per_minute per_hour per_day);
pending!(rate_limiter RateLimiter: create_batch peek try_incr incr set_current_time
    reset_current_time);
pending!(limit_batch LimitBatch: local_op global_op peek try_incr incr);
pending!(limit_batch_result LimitBatchResult: is_allowed get_failed_results get_passed_results
    get_all_results retry_after);
pending!(limit_result LimitResult: is_allowed remaining retry_after);
pub mod factories {
    use super::{Call, Thrown};

    pub fn create_writer(_call: &mut Call) -> Result<(), Thrown> {
        Err(Thrown::error("createWriter is not written yet"))
    }

    pub fn create_reader(_call: &mut Call) -> Result<(), Thrown> {
        Err(Thrown::error("createReader is not written yet"))
    }

    pub fn create_rate_limiter(_call: &mut Call) -> Result<(), Thrown> {
        Err(Thrown::error("createRateLimiter is not written yet"))
    }
}
