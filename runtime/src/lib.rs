//! The library that services link: a model, served over HTTP.

mod config;
mod credentials;
mod embed;
mod events;
mod plan;
mod program;
mod sample;
mod serve;
mod server;
mod service;
mod store;
pub mod testing;
pub mod typed;

pub use embed::router;
pub use program::main;
pub use restwell_macros::{Command, Enum, Object, Resource};
pub use restwell_model::scalar::{Country, Currency, Date, IsoDuration, Language, Price, Time, Timestamp};
pub use rust_decimal::Decimal;
pub use typed::{Builder, Command, Enum, Object, Ref, Resource};
pub use uuid::Uuid;

/// What derived code names. No part of the interface: it changes with the derives.
#[doc(hidden)]
pub mod __private {
    pub use crate::typed::{
        Command, Decimals, Describe, Enum, Fields, Mismatch, Nested, Object, Resource, Shape, Stub, Typed, Use, text,
    };
    pub use restwell_model::Value;
}
