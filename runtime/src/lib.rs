//! Restwell serves resources over HTTP: a struct with a derive gets a table, routes, validation, filters, pages,
//! searches, events and commands. Most services are generated from YAML by the command `restwell`; this crate is what
//! they link, and serves hand-written structs just as well.
//!
//! ```no_run
//! use restwell::{Builder, Resource};
//!
//! /// Something to read.
//! #[derive(Debug, Clone, Resource)]
//! pub struct Article {
//!     #[field(max_length = 120, filter, sort)]
//!     pub title: String,
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     restwell::main(Builder::new("articles").resource::<Article>())
//! }
//! ```
//!
//! | to | see |
//! |---|---|
//! | describe resources | [`Resource`](derive@Resource), [`Object`](derive@Object), [`Enum`](derive@Enum), [`Ref`] |
//! | put a service together | [`Builder`] |
//! | run it as a program, or inside an axum application | [`main`], [`router`] |
//! | write business logic | [`Command`](derive@Command), [`Call`], [`Transaction`], [`Rejection`] |
//! | check and extend changes | [`Rules`], [`Context`] |
//! | do something after changes | [`Hook`], [`Event`] |
//! | find entities | [`Query`], [`filter`] |
//! | add routes and background jobs | [`routes`], [`Builder::job`], [`Transactions`], [`Service`] |
//! | check credentials | [`Authenticator`], [`JwtAuthenticator`] |
//! | test it | [`testing`] |
//!
//! The folder `examples/` has a program for each of these.
//!
//! Features of cargo add what not every service needs; by default none is on, and an option without its feature is
//! refused by name.
//!
//! | feature | adds |
//! |---|---|
//! | `postgres` | databases on PostgreSQL, beside SQLite |
//! | `nats` | `--nats`: events on NATS JetStream |
//! | `redis` | `--rate-limit-redis`: a rate limit that all instances share |
//! | `issuer` | `--issuer` and [`JwtAuthenticator`]: tokens of an issuer |
//! | `tls` | `--tls-cert`: HTTPS without a proxy |
//! | `otel` | `--otlp`: traces to an OpenTelemetry collector |

// what only one of them uses is dead without it; with all of them, as in this workspace's tests, nothing is
#![cfg_attr(
    not(all(
        feature = "postgres",
        feature = "nats",
        feature = "redis",
        feature = "issuer",
        feature = "tls",
        feature = "otel"
    )),
    allow(dead_code, unused_imports)
)]

mod auth;
mod backoff;
mod built_without;
mod clock;
mod etag;
mod events;
mod fair_queue;
mod fair_share;
mod ids;
mod limits;
mod logic;
mod messages;
mod migrations;
mod observe;
mod plan;
mod program;
mod program_name;
mod quality;
mod serve;
mod service;
mod store;
pub mod testing;
pub mod typed;

pub use auth::JwtAuthenticator;
pub use auth::authenticator::{Authentication, AuthenticationResult, Authenticator, Credentials, Denied};
pub use auth::caller::{Caller, Subject};
pub use axum;
pub use logic::commands::Call;
pub use logic::hooks::{Event, EventChange, Hook};
pub use logic::rejection::Rejection;
pub use logic::rules::{Context, Ruled, Rules};
pub use logic::service_handle::Service;
pub use logic::transaction::Transaction;
pub use logic::transactions::Transactions;
/// The allocator for the program of a service: `static ALLOCATOR: restwell::Allocator = restwell::Allocator;` under
/// `#[global_allocator]`. It returns memory to the system after large requests, and is faster than that of glibc.
pub use mimalloc::MiMalloc as Allocator;
pub use program::embed::router;
pub use program::main;
pub use restwell_macros::{Command, Enum, Object, Resource, handlers};
pub use restwell_model::scalar::values::*;
pub use restwell_model::scalar::{FormError, OutOfYears, PriceError};
pub use rust_decimal::Decimal;
pub use serde_json;
pub use serve::routes;
pub use service::{Builder, CommandHandlers, Interpreted};
pub use time;
pub use typed::filter;
pub use typed::{Command, Enum, Object, Query, Ref, Resource, Stored};
pub use uuid::Uuid;

/// The body of a command's handler that is not written yet: in an impl under [`handlers`](macro@handlers) it makes the
/// command answer 501.
#[macro_export]
macro_rules! not_ready {
    ($call:expr) => {{
        ::core::mem::drop($call);
        ::core::result::Result::Err($crate::Rejection::not_ready())
    }};
}

/// What reads the parts of a request, for fuzzers. No part of the interface.
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use serve::fuzzing;

/// The program of a service that is interpreted, for the command `restwell`. No part of the interface.
#[doc(hidden)]
pub mod interpreted {
    pub use crate::program::development::{DevelopmentChange, DevelopmentOutcome, serve_in_development};
    pub use crate::program::interpreted::{ProgramOptions, command_line, run_interpreted};
    pub use crate::typed::written_again;
}

/// What derived code names. No part of the interface: it changes with the derives.
#[doc(hidden)]
pub mod __private {
    pub use crate::migrations::Migration;
    pub use crate::typed::filter::{
        Allows, Compared, Contains, ContainsIgnoreCase, FieldFilter, Id, Not, Null, StartsWith, StartsWithIgnoreCase,
        Text,
    };
    pub use crate::typed::{
        Command, Conversion, Decimals, Describe, Enum, Fields, Mismatch, Nested, Object, Query, QueryOf, QuerySpec,
        Resource, Shape, SortOf, Stub, TypeDescription, Typed, Use, absent, deserialize, preset, preset_units, query,
        serialize, text,
    };
    pub use restwell_model::Value;
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};
}
