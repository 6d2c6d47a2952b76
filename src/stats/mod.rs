//! Write-read statistics and rate limits: MediaWiki's WRStats, over a four-method [`store::Store`].
//!
//! No sockets, no threads; the clock and PHP's rounding come from outside ([`catalog::Host`]).
//!
//! * [`spec`]: metric specs, parsed from nested input ([`place`]), with complaints that name the place.
//! * [`catalog`]: specs under a prefix, with the beginnings of their keys at hand; shared by all that is made from
//!   the same specs.
//! * [`key`], [`entity`]: how counters are named, as MediaWiki names them.
//! * [`number`], [`bucket`]: PHP's int and float, and the arithmetic of time buckets.
//! * [`writer`]: gathers increments, hands them over at flush; [`reset`]: deletes what was counted.
//! * [`reader`], [`rate`]: gather reads, fetch all of them in one round trip.
//! * [`remote`]: counters on the client's servers.
//! * [`condition`], [`batch`], [`limiter`], [`limit_plan`], [`limit_result`]: rate limits.

pub mod batch;
pub mod bucket;
pub mod catalog;
mod clock;
pub mod condition;
pub mod entity;
pub mod error;
mod gathering;
pub mod key;
mod limit_counts;
pub mod limit_plan;
pub mod limit_result;
pub mod limiter;
pub mod number;
pub mod place;
pub mod rate;
pub mod reader;
pub mod remote;
pub mod reset;
pub mod spec;
mod stem;
pub mod store;
pub mod writer;
