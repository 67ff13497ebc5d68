//! The generator: it turns YAML into a service.
//!
//! ```text
//! files ── yaml ──► trees ── interpret ──► model ── check ──► checked service ── emit ──► files
//!   └────── messages ─────────────────────────────────┴──► checked messages ────┘
//! ```
//!
//! All steps are pure functions from texts to texts; only [`command_line`] reads and writes files, and only
//! `conform` asks running services.

pub mod client;
pub mod compile;
#[cfg(feature = "conform")]
pub mod conform;
pub mod emit;
pub mod format;
pub mod interpret;
pub mod json_schema;
pub mod messages;
pub mod yaml;

pub mod diagnostic;
pub mod render;
pub mod source;

pub(crate) mod data_loss;
pub mod migrations;
pub mod output;
pub(crate) mod parallel;
pub mod project;

pub mod command_line;

pub use compile::{Before, Compiled, compile, compile_after};
pub use diagnostic::Diagnostic;
pub use emit::{Generated, emit};
pub use source::File;
