//! What every generated client has: requests, retries, pages, commands, events, and the values of the conventions.
#![cfg_attr(rustfmt, rustfmt_skip)]

#[cfg(feature = "blocking")]
mod blocking;
mod changes;
#[cfg(feature = "chrono")]
mod chrono;
mod client;
mod commands;
mod criteria;
mod endpoint;
mod error;
#[cfg(feature = "events")]
mod events;
mod list;
mod patchable;
#[cfg(feature = "reqwest")]
mod reqwest;
mod retry;
#[cfg_attr(not(feature = "tracing"), path = "without_spans.rs")]
mod spans;
mod stored;
mod transport;
#[macro_use]
mod values;
// uses a macro of the values
mod texts;

#[cfg(feature = "reqwest")]
pub use self::reqwest::ReqwestTransport;
#[cfg(feature = "blocking")]
pub use blocking::Blocking;
pub use changes::Condition;
pub use client::{Builder, Client, DeprecationNotice, TokenSource};
pub use commands::{CommandStatus, Execution, Running};
pub use criteria::Criterion;
pub use error::{ApiError, CommandFailed, Error, Problem, Uncertain};
#[cfg(feature = "events")]
pub use events::{Event, EventQuery};
pub use list::{CommandQuery, ListQuery, Page, Parameters};
pub use patchable::Patchable;
pub use retry::Retries;
pub use stored::{Ref, Stored};
pub use transport::{BoxFuture, ByteStream, Request, Response, Transport, TransportError};
pub use texts::*;
pub use values::{Date, FormError, Price, Time, Timestamp};

pub(crate) use commands::CommandNames;
pub(crate) use endpoint::{Endpoint, Names, pages, walk};
#[cfg(feature = "events")]
pub(crate) use events::from_json;
