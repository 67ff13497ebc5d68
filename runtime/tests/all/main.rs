//! The library, tested by its public items. One program: each would contain the whole library.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod sqlite;
mod typed;
