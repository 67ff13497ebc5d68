//! The generator: YAML in, a service out.
//!
//! ```text
//! files ── yaml ──► trees ── interpret ──► model ── check ──► checked service ── emit ──► files
//!   └────── messages ─────────────────────────────────┴──► checked messages ────┘
//! ```
//!
//! Everything up to the last arrow is a pure function, from texts to texts; [`command_line`] alone reads and writes.

pub mod compile;
pub mod emit;
pub mod format;
pub mod interpret;
pub mod json_schema;
pub mod messages;
pub mod yaml;

pub mod diagnostic;
pub mod render;
pub mod source;

pub mod history;
pub(crate) mod losses;
pub mod project;
pub mod zone;

pub mod command_line;

pub use compile::{Before, Compiled, compile, compile_after};
pub use diagnostic::Diagnostic;
pub use emit::{Generated, emit};
pub use source::File;
