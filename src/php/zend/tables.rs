//! The classes of `stubs/wrstats.stub.php` as the engine wants them.
//!
//! Written by `stubs/generate.php`: change the stub, then run `php -n stubs/generate.php`.

use super::call::entry;
use super::class::{
    Arguments, ClassRow, Constant, END, Fixed, Parent, builtin, class, is, method, of, optional, required,
    returns, variadic,
};
use super::native::{HasClass, Storage};
use crate::php;

/// A class of this extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `WRStats`
    WRStats,
    /// `WRStats\Exception`
    Exception,
    /// `WRStats\ConnectionException`
    ConnectionException,
    /// `WRStats\ServerException`
    ServerException,
    /// `WRStats\EntityKey`
    EntityKey,
    /// `WRStats\Writer`
    Writer,
    /// `WRStats\TimeRange`
    TimeRange,
    /// `WRStats\Reader`
    Reader,
    /// `WRStats\Rate`
    Rate,
    /// `WRStats\RateLimiter`
    RateLimiter,
    /// `WRStats\LimitBatch`
    LimitBatch,
    /// `WRStats\LimitBatchResult`
    LimitBatchResult,
    /// `WRStats\LimitResult`
    LimitResult,
}

impl Class {
    /// How many there are.
    pub const COUNT: usize = 13;
    /// All of them, parents first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::WRStats,
        Self::Exception,
        Self::ConnectionException,
        Self::ServerException,
        Self::EntityKey,
        Self::Writer,
        Self::TimeRange,
        Self::Reader,
        Self::Rate,
        Self::RateLimiter,
        Self::LimitBatch,
        Self::LimitBatchResult,
        Self::LimitResult,
    ];
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::wrstats::WRStats {
    const CLASS: Class = Class::WRStats;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::entity_key::EntityKey {
    const CLASS: Class = Class::EntityKey;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::writer::Writer {
    const CLASS: Class = Class::Writer;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::time_range::TimeRange {
    const CLASS: Class = Class::TimeRange;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::reader::Reader {
    const CLASS: Class = Class::Reader;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::rate::Rate {
    const CLASS: Class = Class::Rate;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::rate_limiter::RateLimiter {
    const CLASS: Class = Class::RateLimiter;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::limit_batch::LimitBatch {
    const CLASS: Class = Class::LimitBatch;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::limit_batch_result::LimitBatchResult {
    const CLASS: Class = Class::LimitBatchResult;
}

// SAFETY: the one type that names this class.
unsafe impl HasClass for php::limit_result::LimitResult {
    const CLASS: Class = Class::LimitResult;
}

pub(super) static CLASSES: Fixed<[ClassRow; Class::COUNT]> = Fixed([
    ClassRow {
        name: c"WRStats",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static CONSTRUCT: Arguments<2> = Fixed([
                returns(0, builtin(0)),
                optional(c"config", builtin(of::ARRAY | of::STRING | of::NULL), c"null"),
            ]);
            static ON_STORE: Arguments<2> = Fixed([
                returns(1, class(c"self", 0)),
                required(c"store", builtin(of::OBJECT)),
            ]);
            static INCR: Arguments<5> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                optional(c"step", builtin(of::INT), c"1"),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"init", builtin(of::INT | of::NULL), c"null"),
            ]);
            static DECR: Arguments<3> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                optional(c"step", builtin(of::INT), c"1"),
            ]);
            static INCR_MULTI: Arguments<3> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"steps", builtin(of::ARRAY)),
                optional(c"ttl", builtin(of::INT), c"0"),
            ]);
            static FLUSH: Arguments<1> = Fixed([
                returns(0, builtin(of::BOOL)),
            ]);
            static SYNC: Arguments<2> = Fixed([
                returns(0, builtin(of::BOOL)),
                optional(c"timeout", builtin(of::FLOAT | of::NULL), c"null"),
            ]);
            static INCR_AND_GET: Arguments<5> = Fixed([
                returns(1, builtin(of::INT)),
                required(c"key", builtin(of::STRING)),
                optional(c"step", builtin(of::INT), c"1"),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"init", builtin(of::INT | of::NULL), c"null"),
            ]);
            static DECR_AND_GET: Arguments<3> = Fixed([
                returns(1, builtin(of::INT | of::NULL)),
                required(c"key", builtin(of::STRING)),
                optional(c"step", builtin(of::INT), c"1"),
            ]);
            static GET: Arguments<3> = Fixed([
                returns(1, builtin(of::ARRAY | of::STRING | of::NULL)),
                required(c"key", builtin(of::STRING)),
                optional(c"getFlags", builtin(of::INT), c"0"),
            ]);
            static GET_MULTI: Arguments<3> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"keys", builtin(of::ARRAY)),
                optional(c"getFlags", builtin(of::INT), c"0"),
            ]);
            static GET_COUNTERS: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"keys", builtin(of::ARRAY)),
            ]);
            static SET: Arguments<6> = Fixed([
                returns(2, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                required(c"value", builtin(of::STRING)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"flags", builtin(of::INT), c"0"),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static SET_MULTI: Arguments<5> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"values", builtin(of::ARRAY)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"flags", builtin(of::INT), c"0"),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static SET_ITEMS: Arguments<4> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"items", builtin(of::ARRAY)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static ADD: Arguments<6> = Fixed([
                returns(2, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                required(c"value", builtin(of::STRING)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"flags", builtin(of::INT), c"0"),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static REPLACE: Arguments<6> = Fixed([
                returns(2, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                required(c"value", builtin(of::STRING)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"flags", builtin(of::INT), c"0"),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static CAS: Arguments<6> = Fixed([
                returns(3, builtin(of::BOOL | of::NULL)),
                required(c"cas", builtin(of::INT)),
                required(c"key", builtin(of::STRING)),
                required(c"value", builtin(of::STRING)),
                optional(c"ttl", builtin(of::INT), c"0"),
                optional(c"flags", builtin(of::INT), c"0"),
            ]);
            static DELETE: Arguments<3> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static DELETE_MULTI: Arguments<3> = Fixed([
                returns(1, builtin(of::BOOL)),
                required(c"keys", builtin(of::ARRAY)),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static TOUCH: Arguments<4> = Fixed([
                returns(2, builtin(of::BOOL)),
                required(c"key", builtin(of::STRING)),
                required(c"ttl", builtin(of::INT)),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static TOUCH_MULTI: Arguments<4> = Fixed([
                returns(2, builtin(of::BOOL)),
                required(c"keys", builtin(of::ARRAY)),
                required(c"ttl", builtin(of::INT)),
                optional(c"background", builtin(of::BOOL), c"false"),
            ]);
            static COMPRESS: Arguments<2> = Fixed([
                returns(1, builtin(of::STRING)),
                required(c"data", builtin(of::STRING)),
            ]);
            static DECOMPRESS: Arguments<3> = Fixed([
                returns(2, builtin(of::STRING | of::NULL)),
                required(c"data", builtin(of::STRING)),
                required(c"size", builtin(of::INT)),
            ]);
            static CREATE_WRITER: Arguments<3> = Fixed([
                returns(1, class(c"WRStats\\Writer", 0)),
                required(c"specs", builtin(of::ARRAY)),
                optional(c"prefix", builtin(of::ARRAY | of::STRING), c"'WRStats'"),
            ]);
            static CREATE_READER: Arguments<3> = Fixed([
                returns(1, class(c"WRStats\\Reader", 0)),
                required(c"specs", builtin(of::ARRAY)),
                optional(c"prefix", builtin(of::ARRAY | of::STRING), c"'WRStats'"),
            ]);
            static CREATE_RATE_LIMITER: Arguments<4> = Fixed([
                returns(1, class(c"WRStats\\RateLimiter", 0)),
                required(c"conditions", builtin(of::ARRAY)),
                optional(c"prefix", builtin(of::ARRAY | of::STRING), c"'WRStats'"),
                optional(c"options", builtin(of::ARRAY), c"[]"),
            ]);
            static SET_CURRENT_TIME: Arguments<2> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"now", builtin(of::INT | of::FLOAT | of::NULL)),
            ]);
            static LAST_ERROR: Arguments<1> = Fixed([
                returns(0, builtin(of::STRING | of::NULL)),
            ]);
            static LAST_ERROR_CODE: Arguments<1> = Fixed([
                returns(0, builtin(of::INT)),
            ]);
            static SERVERS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static SERVER_FOR: Arguments<2> = Fixed([
                returns(1, builtin(of::STRING)),
                required(c"key", builtin(of::STRING)),
            ]);
            static METRICS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 34]> = Fixed([
                method(c"__construct", entry::<0, 1, _, _>(php::wrstats::construct), &CONSTRUCT.0, is::PUBLIC),
                method(c"onStore", entry::<1, 1, _, _>(php::wrstats::on_store), &ON_STORE.0, is::PUBLIC | is::STATIC),
                method(c"incr", entry::<1, 4, _, _>(php::wrstats::incr), &INCR.0, is::PUBLIC),
                method(c"decr", entry::<1, 2, _, _>(php::wrstats::decr), &DECR.0, is::PUBLIC),
                method(c"incrMulti", entry::<1, 2, _, _>(php::wrstats::incr_multi), &INCR_MULTI.0, is::PUBLIC),
                method(c"flush", entry::<0, 0, _, _>(php::wrstats::flush), &FLUSH.0, is::PUBLIC),
                method(c"sync", entry::<0, 1, _, _>(php::wrstats::sync), &SYNC.0, is::PUBLIC),
                method(c"incrAndGet", entry::<1, 4, _, _>(php::wrstats::incr_and_get), &INCR_AND_GET.0, is::PUBLIC),
                method(c"decrAndGet", entry::<1, 2, _, _>(php::wrstats::decr_and_get), &DECR_AND_GET.0, is::PUBLIC),
                method(c"get", entry::<1, 2, _, _>(php::wrstats::get), &GET.0, is::PUBLIC),
                method(c"getMulti", entry::<1, 2, _, _>(php::wrstats::get_multi), &GET_MULTI.0, is::PUBLIC),
                method(c"getCounters", entry::<1, 1, _, _>(php::wrstats::get_counters), &GET_COUNTERS.0, is::PUBLIC),
                method(c"set", entry::<2, 5, _, _>(php::wrstats::set), &SET.0, is::PUBLIC),
                method(c"setMulti", entry::<1, 4, _, _>(php::wrstats::set_multi), &SET_MULTI.0, is::PUBLIC),
                method(c"setItems", entry::<1, 3, _, _>(php::wrstats::set_items), &SET_ITEMS.0, is::PUBLIC),
                method(c"add", entry::<2, 5, _, _>(php::wrstats::add), &ADD.0, is::PUBLIC),
                method(c"replace", entry::<2, 5, _, _>(php::wrstats::replace), &REPLACE.0, is::PUBLIC),
                method(c"cas", entry::<3, 5, _, _>(php::wrstats::cas), &CAS.0, is::PUBLIC),
                method(c"delete", entry::<1, 2, _, _>(php::wrstats::delete), &DELETE.0, is::PUBLIC),
                method(c"deleteMulti", entry::<1, 2, _, _>(php::wrstats::delete_multi), &DELETE_MULTI.0, is::PUBLIC),
                method(c"touch", entry::<2, 3, _, _>(php::wrstats::touch), &TOUCH.0, is::PUBLIC),
                method(c"touchMulti", entry::<2, 3, _, _>(php::wrstats::touch_multi), &TOUCH_MULTI.0, is::PUBLIC),
                method(c"compress", entry::<1, 1, _, _>(php::wrstats::compress), &COMPRESS.0, is::PUBLIC | is::STATIC),
                method(c"decompress", entry::<2, 2, _, _>(php::wrstats::decompress), &DECOMPRESS.0, is::PUBLIC | is::STATIC),
                method(c"createWriter", entry::<1, 2, _, _>(php::wrstats::create_writer), &CREATE_WRITER.0, is::PUBLIC),
                method(c"createReader", entry::<1, 2, _, _>(php::wrstats::create_reader), &CREATE_READER.0, is::PUBLIC),
                method(c"createRateLimiter", entry::<1, 3, _, _>(php::wrstats::create_rate_limiter), &CREATE_RATE_LIMITER.0, is::PUBLIC),
                method(c"setCurrentTime", entry::<1, 1, _, _>(php::wrstats::set_current_time), &SET_CURRENT_TIME.0, is::PUBLIC),
                method(c"lastError", entry::<0, 0, _, _>(php::wrstats::last_error), &LAST_ERROR.0, is::PUBLIC),
                method(c"lastErrorCode", entry::<0, 0, _, _>(php::wrstats::last_error_code), &LAST_ERROR_CODE.0, is::PUBLIC),
                method(c"servers", entry::<0, 0, _, _>(php::wrstats::servers), &SERVERS.0, is::PUBLIC),
                method(c"serverFor", entry::<1, 1, _, _>(php::wrstats::server_for), &SERVER_FOR.0, is::PUBLIC),
                method(c"metrics", entry::<0, 0, _, _>(php::wrstats::metrics), &METRICS.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[
            ("VERSION", Constant::Str(env!("CARGO_PKG_VERSION"))),
            ("ERROR_NONE", Constant::Int(0)),
            ("ERROR_NO_RESPONSE", Constant::Int(1)),
            ("ERROR_UNREACHABLE", Constant::Int(2)),
            ("ERROR_UNEXPECTED", Constant::Int(3)),
            ("GET_EXTENDED", Constant::Int(1)),
            ("GET_FLAGS", Constant::Int(2)),
        ],
        properties: &[],
        storage: Some(Storage::of::<php::wrstats::WRStats>()),
        factory: None,
    },
    ClassRow {
        name: c"WRStats\\Exception",
        parent: Parent::RuntimeException,
        flags: 0,
        methods: {
            static GET_SERVER: Arguments<1> = Fixed([
                returns(0, builtin(of::STRING)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 2]> = Fixed([
                method(c"getServer", entry::<0, 0, _, _>(php::exception::get_server), &GET_SERVER.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: None,
        factory: None,
    },
    ClassRow {
        name: c"WRStats\\ConnectionException",
        parent: Parent::Ours(Class::Exception),
        flags: 0,
        methods: {
            static METHODS: Fixed<[super::ffi::zend_function_entry; 1]> = Fixed([
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: None,
        factory: None,
    },
    ClassRow {
        name: c"WRStats\\ServerException",
        parent: Parent::Ours(Class::Exception),
        flags: 0,
        methods: {
            static METHODS: Fixed<[super::ffi::zend_function_entry; 1]> = Fixed([
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: None,
        factory: None,
    },
    ClassRow {
        name: c"WRStats\\EntityKey",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static LOCAL: Arguments<2> = Fixed([
                returns(0, class(c"self", 0)),
                variadic(c"components", builtin(of::STRING | of::INT)),
            ]);
            static GLOBAL: Arguments<2> = Fixed([
                returns(0, class(c"self", 0)),
                variadic(c"components", builtin(of::STRING | of::INT)),
            ]);
            static GET_COMPONENTS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static IS_GLOBAL: Arguments<1> = Fixed([
                returns(0, builtin(of::BOOL)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 5]> = Fixed([
                method(c"local", entry::<0, { u32::MAX }, _, _>(php::entity_key::local), &LOCAL.0, is::PUBLIC | is::STATIC),
                method(c"global", entry::<0, { u32::MAX }, _, _>(php::entity_key::global), &GLOBAL.0, is::PUBLIC | is::STATIC),
                method(c"getComponents", entry::<0, 0, _, _>(php::entity_key::get_components), &GET_COMPONENTS.0, is::PUBLIC),
                method(c"isGlobal", entry::<0, 0, _, _>(php::entity_key::is_global), &IS_GLOBAL.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::entity_key::EntityKey>()),
        factory: Some("WRStats\\EntityKey::local"),
    },
    ClassRow {
        name: c"WRStats\\Writer",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static INCR: Arguments<4> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"metric", builtin(of::STRING)),
                optional(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL), c"null"),
                optional(c"value", builtin(of::INT | of::FLOAT), c"1"),
            ]);
            static FLUSH: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static RESET_ALL: Arguments<2> = Fixed([
                returns(0, builtin(of::VOID)),
                optional(c"entities", builtin(of::ARRAY | of::NULL), c"null"),
            ]);
            static SET_CURRENT_TIME: Arguments<2> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"now", builtin(of::INT | of::FLOAT)),
            ]);
            static RESET_CURRENT_TIME: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 6]> = Fixed([
                method(c"incr", entry::<1, 3, _, _>(php::writer::incr), &INCR.0, is::PUBLIC),
                method(c"flush", entry::<0, 0, _, _>(php::writer::flush), &FLUSH.0, is::PUBLIC),
                method(c"resetAll", entry::<0, 1, _, _>(php::writer::reset_all), &RESET_ALL.0, is::PUBLIC),
                method(c"setCurrentTime", entry::<1, 1, _, _>(php::writer::set_current_time), &SET_CURRENT_TIME.0, is::PUBLIC),
                method(c"resetCurrentTime", entry::<0, 0, _, _>(php::writer::reset_current_time), &RESET_CURRENT_TIME.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::writer::Writer>()),
        factory: Some("WRStats::createWriter"),
    },
    ClassRow {
        name: c"WRStats\\TimeRange",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static CONSTRUCT: Arguments<3> = Fixed([
                returns(2, builtin(0)),
                required(c"start", builtin(of::INT | of::FLOAT)),
                required(c"end", builtin(of::INT | of::FLOAT)),
            ]);
            static GET_DURATION: Arguments<1> = Fixed([
                returns(0, builtin(of::INT | of::FLOAT)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 3]> = Fixed([
                method(c"__construct", entry::<2, 2, _, _>(php::time_range::construct), &CONSTRUCT.0, is::PUBLIC),
                method(c"getDuration", entry::<0, 0, _, _>(php::time_range::get_duration), &GET_DURATION.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[
            ("start", is::PUBLIC | is::READONLY, builtin(of::INT | of::FLOAT)),
            ("end", is::PUBLIC | is::READONLY, builtin(of::INT | of::FLOAT)),
        ],
        storage: Some(Storage::of::<php::time_range::TimeRange>()),
        factory: None,
    },
    ClassRow {
        name: c"WRStats\\Reader",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static LATEST: Arguments<2> = Fixed([
                returns(1, class(c"WRStats\\TimeRange", 0)),
                required(c"seconds", builtin(of::INT | of::FLOAT)),
            ]);
            static TIME_RANGE: Arguments<3> = Fixed([
                returns(2, class(c"WRStats\\TimeRange", 0)),
                required(c"start", builtin(of::INT | of::FLOAT)),
                required(c"end", builtin(of::INT | of::FLOAT)),
            ]);
            static GET_RATE: Arguments<4> = Fixed([
                returns(3, class(c"WRStats\\Rate", 0)),
                required(c"metric", builtin(of::STRING)),
                required(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL)),
                required(c"range", class(c"WRStats\\TimeRange", 0)),
            ]);
            static GET_RATES: Arguments<4> = Fixed([
                returns(3, builtin(of::ARRAY)),
                required(c"metrics", builtin(of::ARRAY)),
                required(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL)),
                required(c"range", class(c"WRStats\\TimeRange", 0)),
            ]);
            static FETCH: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static TOTAL: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"rates", builtin(of::ARRAY)),
            ]);
            static PER_SECOND: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"rates", builtin(of::ARRAY)),
            ]);
            static PER_MINUTE: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"rates", builtin(of::ARRAY)),
            ]);
            static PER_HOUR: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"rates", builtin(of::ARRAY)),
            ]);
            static PER_DAY: Arguments<2> = Fixed([
                returns(1, builtin(of::ARRAY)),
                required(c"rates", builtin(of::ARRAY)),
            ]);
            static SET_CURRENT_TIME: Arguments<2> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"now", builtin(of::INT | of::FLOAT)),
            ]);
            static RESET_CURRENT_TIME: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 13]> = Fixed([
                method(c"latest", entry::<1, 1, _, _>(php::reader::latest), &LATEST.0, is::PUBLIC),
                method(c"timeRange", entry::<2, 2, _, _>(php::reader::time_range), &TIME_RANGE.0, is::PUBLIC),
                method(c"getRate", entry::<3, 3, _, _>(php::reader::get_rate), &GET_RATE.0, is::PUBLIC),
                method(c"getRates", entry::<3, 3, _, _>(php::reader::get_rates), &GET_RATES.0, is::PUBLIC),
                method(c"fetch", entry::<0, 0, _, _>(php::reader::fetch), &FETCH.0, is::PUBLIC),
                method(c"total", entry::<1, 1, _, _>(php::reader::total), &TOTAL.0, is::PUBLIC),
                method(c"perSecond", entry::<1, 1, _, _>(php::reader::per_second), &PER_SECOND.0, is::PUBLIC),
                method(c"perMinute", entry::<1, 1, _, _>(php::reader::per_minute), &PER_MINUTE.0, is::PUBLIC),
                method(c"perHour", entry::<1, 1, _, _>(php::reader::per_hour), &PER_HOUR.0, is::PUBLIC),
                method(c"perDay", entry::<1, 1, _, _>(php::reader::per_day), &PER_DAY.0, is::PUBLIC),
                method(c"setCurrentTime", entry::<1, 1, _, _>(php::reader::set_current_time), &SET_CURRENT_TIME.0, is::PUBLIC),
                method(c"resetCurrentTime", entry::<0, 0, _, _>(php::reader::reset_current_time), &RESET_CURRENT_TIME.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::reader::Reader>()),
        factory: Some("WRStats::createReader"),
    },
    ClassRow {
        name: c"WRStats\\Rate",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static TOTAL: Arguments<1> = Fixed([
                returns(0, builtin(of::INT | of::FLOAT)),
            ]);
            static PER_SECOND: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static PER_MINUTE: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static PER_HOUR: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static PER_DAY: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 6]> = Fixed([
                method(c"total", entry::<0, 0, _, _>(php::rate::total), &TOTAL.0, is::PUBLIC),
                method(c"perSecond", entry::<0, 0, _, _>(php::rate::per_second), &PER_SECOND.0, is::PUBLIC),
                method(c"perMinute", entry::<0, 0, _, _>(php::rate::per_minute), &PER_MINUTE.0, is::PUBLIC),
                method(c"perHour", entry::<0, 0, _, _>(php::rate::per_hour), &PER_HOUR.0, is::PUBLIC),
                method(c"perDay", entry::<0, 0, _, _>(php::rate::per_day), &PER_DAY.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::rate::Rate>()),
        factory: Some("WRStats\\Reader::getRate"),
    },
    ClassRow {
        name: c"WRStats\\RateLimiter",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static CREATE_BATCH: Arguments<2> = Fixed([
                returns(0, class(c"WRStats\\LimitBatch", 0)),
                optional(c"defaultAmount", builtin(of::INT), c"1"),
            ]);
            static PEEK: Arguments<4> = Fixed([
                returns(1, class(c"WRStats\\LimitResult", 0)),
                required(c"condition", builtin(of::STRING)),
                optional(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL), c"null"),
                optional(c"amount", builtin(of::INT), c"1"),
            ]);
            static TRY_INCR: Arguments<4> = Fixed([
                returns(1, class(c"WRStats\\LimitResult", 0)),
                required(c"condition", builtin(of::STRING)),
                optional(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL), c"null"),
                optional(c"amount", builtin(of::INT), c"1"),
            ]);
            static INCR: Arguments<4> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"condition", builtin(of::STRING)),
                optional(c"entity", builtin(of::OBJECT | of::ARRAY | of::NULL), c"null"),
                optional(c"amount", builtin(of::INT), c"1"),
            ]);
            static SET_CURRENT_TIME: Arguments<2> = Fixed([
                returns(1, builtin(of::VOID)),
                required(c"now", builtin(of::INT | of::FLOAT)),
            ]);
            static RESET_CURRENT_TIME: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 7]> = Fixed([
                method(c"createBatch", entry::<0, 1, _, _>(php::rate_limiter::create_batch), &CREATE_BATCH.0, is::PUBLIC),
                method(c"peek", entry::<1, 3, _, _>(php::rate_limiter::peek), &PEEK.0, is::PUBLIC),
                method(c"tryIncr", entry::<1, 3, _, _>(php::rate_limiter::try_incr), &TRY_INCR.0, is::PUBLIC),
                method(c"incr", entry::<1, 3, _, _>(php::rate_limiter::incr), &INCR.0, is::PUBLIC),
                method(c"setCurrentTime", entry::<1, 1, _, _>(php::rate_limiter::set_current_time), &SET_CURRENT_TIME.0, is::PUBLIC),
                method(c"resetCurrentTime", entry::<0, 0, _, _>(php::rate_limiter::reset_current_time), &RESET_CURRENT_TIME.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::rate_limiter::RateLimiter>()),
        factory: Some("WRStats::createRateLimiter"),
    },
    ClassRow {
        name: c"WRStats\\LimitBatch",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static LOCAL_OP: Arguments<4> = Fixed([
                returns(1, builtin(of::STATIC)),
                required(c"condition", builtin(of::STRING)),
                optional(c"components", builtin(of::MIXED), c"[]"),
                optional(c"amount", builtin(of::INT | of::NULL), c"null"),
            ]);
            static GLOBAL_OP: Arguments<4> = Fixed([
                returns(1, builtin(of::STATIC)),
                required(c"condition", builtin(of::STRING)),
                optional(c"components", builtin(of::MIXED), c"[]"),
                optional(c"amount", builtin(of::INT | of::NULL), c"null"),
            ]);
            static PEEK: Arguments<1> = Fixed([
                returns(0, class(c"WRStats\\LimitBatchResult", 0)),
            ]);
            static TRY_INCR: Arguments<1> = Fixed([
                returns(0, class(c"WRStats\\LimitBatchResult", 0)),
            ]);
            static INCR: Arguments<1> = Fixed([
                returns(0, builtin(of::VOID)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 6]> = Fixed([
                method(c"localOp", entry::<1, 3, _, _>(php::limit_batch::local_op), &LOCAL_OP.0, is::PUBLIC),
                method(c"globalOp", entry::<1, 3, _, _>(php::limit_batch::global_op), &GLOBAL_OP.0, is::PUBLIC),
                method(c"peek", entry::<0, 0, _, _>(php::limit_batch::peek), &PEEK.0, is::PUBLIC),
                method(c"tryIncr", entry::<0, 0, _, _>(php::limit_batch::try_incr), &TRY_INCR.0, is::PUBLIC),
                method(c"incr", entry::<0, 0, _, _>(php::limit_batch::incr), &INCR.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::limit_batch::LimitBatch>()),
        factory: Some("WRStats\\RateLimiter::createBatch"),
    },
    ClassRow {
        name: c"WRStats\\LimitBatchResult",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static IS_ALLOWED: Arguments<1> = Fixed([
                returns(0, builtin(of::BOOL)),
            ]);
            static GET_FAILED_RESULTS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static GET_PASSED_RESULTS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static GET_ALL_RESULTS: Arguments<1> = Fixed([
                returns(0, builtin(of::ARRAY)),
            ]);
            static RETRY_AFTER: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 6]> = Fixed([
                method(c"isAllowed", entry::<0, 0, _, _>(php::limit_batch_result::is_allowed), &IS_ALLOWED.0, is::PUBLIC),
                method(c"getFailedResults", entry::<0, 0, _, _>(php::limit_batch_result::get_failed_results), &GET_FAILED_RESULTS.0, is::PUBLIC),
                method(c"getPassedResults", entry::<0, 0, _, _>(php::limit_batch_result::get_passed_results), &GET_PASSED_RESULTS.0, is::PUBLIC),
                method(c"getAllResults", entry::<0, 0, _, _>(php::limit_batch_result::get_all_results), &GET_ALL_RESULTS.0, is::PUBLIC),
                method(c"retryAfter", entry::<0, 0, _, _>(php::limit_batch_result::retry_after), &RETRY_AFTER.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[],
        storage: Some(Storage::of::<php::limit_batch_result::LimitBatchResult>()),
        factory: Some("WRStats\\LimitBatch::peek"),
    },
    ClassRow {
        name: c"WRStats\\LimitResult",
        parent: Parent::None,
        flags: is::FINAL | is::NO_DYNAMIC_PROPERTIES | is::NOT_SERIALIZABLE,
        methods: {
            static IS_ALLOWED: Arguments<1> = Fixed([
                returns(0, builtin(of::BOOL)),
            ]);
            static REMAINING: Arguments<1> = Fixed([
                returns(0, builtin(of::INT)),
            ]);
            static RETRY_AFTER: Arguments<1> = Fixed([
                returns(0, builtin(of::FLOAT)),
            ]);
            static METHODS: Fixed<[super::ffi::zend_function_entry; 4]> = Fixed([
                method(c"isAllowed", entry::<0, 0, _, _>(php::limit_result::is_allowed), &IS_ALLOWED.0, is::PUBLIC),
                method(c"remaining", entry::<0, 0, _, _>(php::limit_result::remaining), &REMAINING.0, is::PUBLIC),
                method(c"retryAfter", entry::<0, 0, _, _>(php::limit_result::retry_after), &RETRY_AFTER.0, is::PUBLIC),
                END,
            ]);
            &METHODS.0
        },
        constants: &[],
        properties: &[
            ("limit", is::PUBLIC | is::READONLY, builtin(of::INT)),
            ("window", is::PUBLIC | is::READONLY, builtin(of::INT | of::FLOAT)),
            ("prevTotal", is::PUBLIC | is::READONLY, builtin(of::INT)),
            ("newTotal", is::PUBLIC | is::READONLY, builtin(of::INT)),
        ],
        storage: Some(Storage::of::<php::limit_result::LimitResult>()),
        factory: Some("WRStats\\RateLimiter::peek"),
    },
]);
