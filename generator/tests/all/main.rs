//! Tests of the generator and of its command. One program: each would contain the whole library.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod any_model;
#[cfg(all(feature = "serve", unix))]
mod building;
mod changes;
mod command;
mod command_lines;
mod common;
mod diagnostics;
mod diff;
mod faults;
mod first_hour;
mod formatting;
mod former_names;
mod generation;
mod json_schema;
mod migrations;
mod robustness;
mod same_model;
#[cfg(feature = "serve")]
mod samples;
#[cfg(feature = "serve")]
mod saves;
#[cfg(feature = "serve")]
mod serve;
mod taken_names;

// the starter files of handlers name the generated code so
use same_model::golden::taken_names as generated;
