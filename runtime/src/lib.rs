//! The library that services link: a model, served over HTTP.

mod actor;
mod chance;
mod check;
mod clock;
mod commands;
mod config;
mod config_file;
mod credentials;
mod embed;
mod events;
mod fair_share;
mod hashing;
mod head_errors;
mod limits;
mod lingering;
mod log;
mod log_throttle;
mod messages;
mod metrics;
mod migrate;
mod migrations;
mod pacing;
mod plan;
mod program;
mod rejection;
mod rules;
mod sample;
mod serve;
mod server;
mod service;
mod store;
mod telemetry;
pub mod testing;
mod tls;
mod transaction;
mod transfer;
pub mod typed;

pub use commands::Call;
pub use credentials::JwtAuthenticator;
pub use embed::router;
pub use program::main;
pub use rejection::Rejection;
pub use restwell_macros::{Command, Enum, Object, Resource, handlers};
pub use restwell_model::scalar::{Country, Currency, Date, IsoDuration, Language, Price, Time, Timestamp};
pub use rules::{Context, Ruled, Rules};
pub use rust_decimal::Decimal;
pub use serve::authenticator::{Authentication, Authenticator, Credentials, Denied, Found};
pub use serve::caller::Caller;
pub use transaction::Transaction;
pub use typed::{Builder, Command, Enum, Object, Query, Ref, Resource, Stored};
pub use uuid::Uuid;

/// The body of a command's handler that is not written yet: in an impl under [`handlers`](macro@handlers) it makes the
/// command answer 501.
#[macro_export]
macro_rules! not_ready {
    ($call:expr) => {{
        drop($call);
        Err($crate::Rejection::not_ready())
    }};
}

/// What reads the parts of a request, for fuzzers. No part of the interface.
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use serve::fuzzing;

/// What derived code names. No part of the interface: it changes with the derives.
#[doc(hidden)]
pub mod __private {
    pub use crate::typed::{
        Asked, Command, Comparison, Decimals, Describe, Enum, Fields, Mismatch, Nested, Object, Query, QueryOf,
        Resource, Shape, SortOf, Stub, Typed, Use, asked, text,
    };
    pub use restwell_model::Value;
}
