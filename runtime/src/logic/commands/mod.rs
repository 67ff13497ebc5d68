//! Commands (§2.6, §3): the business logic that a team writes, executed exactly once.
//!
//! A PUT is answered when the command is durable; the executor runs its handler, and commits what the handler did with
//! the command's end. After a crash in between, the command is still RUNNING, and runs again; what has been
//! committed is never done twice, for the same commit ends it.

mod call;
mod errors;
mod executor;
mod handler;
pub(crate) mod operation;
pub(crate) mod retention;
mod run;

pub use call::Call;
pub(crate) use errors::{from_json, to_json};
pub(crate) use executor::{Executor, LEASE};
pub(crate) use handler::{Handler, Handlers, Invocation};
