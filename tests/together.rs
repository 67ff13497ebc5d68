//! Tests that need no program of their own: each would contain the whole library.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod conform;
mod credentials;
mod old_clients;
mod packages;
mod uses;
mod yaml_equals_derive;
